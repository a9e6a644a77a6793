import type { MessageDescriptor } from '@lingui/core'
import { msg, t } from '@lingui/core/macro'
import { type Account, type Plan, useUpdateAccount } from '@/api/settings/account'
import { Input, NativeSelect } from '@/components/input'
import { LanguageOptions } from '@/components/language-select'
import { i18n } from '@/lib/i18n'
import { Field, Form, SaveRow, useForm } from '../form'

const PLANS: Record<Plan, MessageDescriptor> = {
  'self-hosted': msg({ message: 'Self-hosted', context: 'plan' }),
  free: msg({ message: 'Free', context: 'plan' }),
  starter: msg({ message: 'Starter', context: 'plan' }),
  team: msg({ message: 'Team', context: 'plan' }),
  business: msg({ message: 'Business', context: 'plan' }),
}

const ALL = Object.keys(PLANS) as Plan[]

export const getPlanLabel = (plan: Plan): string => i18n._(PLANS[plan])

export function NameAndPlan({ account, isOwner }: { account: Account; isOwner: boolean }) {
  const form = useForm({
    storedAs: 'workspace',
    saved: { name: account.name, plan: account.plan, language: account.language ?? ('' as const) },
    save: useUpdateAccount(),
    toBody: ({ name, plan, language }) => ({
      name,
      language: language || null,
      ...(plan !== account.plan && { plan }),
    }),
  })
  return (
    <Form form={form} className="flex max-w-md flex-col gap-4">
      <Field form={form} name="name" label={t`Workspace name`}>
        {attributes => <Input {...attributes} autoComplete="organization" required maxLength={200} />}
      </Field>
      <Field
        form={form}
        name="plan"
        label={t`Plan`}
        help={
          isOwner
            ? t`Sets API rate limits and included monthly usage. Changes take effect immediately.`
            : t`Only owners can change the plan.`
        }
      >
        {attributes => (
          <NativeSelect {...attributes} disabled={!isOwner}>
            {ALL.map(plan => (
              <option key={plan} value={plan}>
                {plan === 'self-hosted' ? t`Self-hosted (no limits)` : getPlanLabel(plan)}
              </option>
            ))}
          </NativeSelect>
        )}
      </Field>
      <Field
        form={form}
        name="language"
        label={t`Default language`}
        help={t`For members who haven't chosen a language in their profile.`}
      >
        {attributes => (
          <NativeSelect {...attributes}>
            <option value="">{t`Same as each member's browser`}</option>
            <LanguageOptions />
          </NativeSelect>
        )}
      </Field>
      <SaveRow form={form} />
    </Form>
  )
}

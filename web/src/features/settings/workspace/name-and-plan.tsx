import type { MessageDescriptor } from '@lingui/core'
import { msg, t } from '@lingui/core/macro'
import type { FormEvent } from 'react'
import { getFieldError } from '@/api/errors'
import { type Account, type Plan, useUpdateAccount } from '@/api/settings/account'
import { FormError } from '@/components/form-error'
import { Input, LabeledField, NativeSelect } from '@/components/input'
import { LanguageOptions } from '@/components/language-select'
import { i18n } from '@/lib/i18n'
import { SaveRow } from '../save-row'
import { useDraft } from '../use-draft'

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
  const draft = useDraft('workspace', {
    name: account.name,
    plan: account.plan,
    language: account.language,
  })
  const save = useUpdateAccount()
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const sent = draft.value
    const { name, plan, language } = sent
    const onSuccess = () => draft.forgetSaved(sent)
    save.mutate({ name, language, ...(plan !== account.plan && { plan }) }, { onSuccess })
  }
  return (
    <form onSubmit={submit} className="flex max-w-md flex-col gap-4">
      <FormError error={save.error} paths={['name', 'plan', 'language']} />
      <LabeledField label={t`Workspace name`} error={getFieldError(save.error, 'name')}>
        {attributes => (
          <Input
            {...attributes}
            autoComplete="organization"
            required
            maxLength={200}
            value={draft.value.name}
            onChange={event => draft.change({ name: event.target.value })}
          />
        )}
      </LabeledField>
      <LabeledField
        label={t`Plan`}
        help={
          isOwner
            ? t`Sets API rate limits and included monthly usage. Changes take effect immediately.`
            : t`Only owners can change the plan.`
        }
        error={getFieldError(save.error, 'plan')}
      >
        {attributes => (
          <NativeSelect
            {...attributes}
            disabled={!isOwner}
            value={draft.value.plan}
            onChange={event => draft.change({ plan: event.target.value as Plan })}
          >
            {ALL.map(plan => (
              <option key={plan} value={plan}>
                {plan === 'self-hosted' ? t`Self-hosted (no limits)` : getPlanLabel(plan)}
              </option>
            ))}
          </NativeSelect>
        )}
      </LabeledField>
      <LabeledField
        label={t`Default language`}
        help={t`For members who haven't chosen a language in their profile.`}
        error={getFieldError(save.error, 'language')}
      >
        {attributes => (
          <NativeSelect
            {...attributes}
            value={draft.value.language ?? ''}
            onChange={event =>
              draft.change({ language: (event.target.value || null) as Account['language'] })
            }
          >
            <option value="">{t`Same as each member's browser`}</option>
            <LanguageOptions />
          </NativeSelect>
        )}
      </LabeledField>
      <SaveRow dirty={draft.dirty} saving={save.isPending} saved={save.isSuccess} onForget={draft.forget} />
    </form>
  )
}

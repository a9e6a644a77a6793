import type { FormEvent } from 'react'
import { faultAt } from '@/api/faults'
import { type Account, type Plan, useChangeAccount } from '@/api/settings/account'
import { FormFault } from '@/components/form-fault'
import { Input, Labelled, NativeSelect } from '@/components/input'
import { useDraft } from '../draft'
import { SaveRow } from '../save-row'

const PLANS: Record<Plan, string> = {
  'self-hosted': 'Self-hosted: no limits',
  free: 'Free',
  starter: 'Starter',
  team: 'Team',
  business: 'Business',
}

export function NameAndPlan({ account, isOwner }: { account: Account; isOwner: boolean }) {
  const draft = useDraft('workspace', { name: account.name, plan: account.plan })
  const save = useChangeAccount()
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const sent = draft.value
    const { name, plan } = sent
    const onSuccess = () => draft.forgetSaved(sent)
    save.mutate({ name, ...(plan !== account.plan && { plan }) }, { onSuccess })
  }
  return (
    <form onSubmit={submit} className="flex max-w-md flex-col gap-4">
      <FormFault error={save.error} paths={['name', 'plan']} />
      <Labelled label="Name of the workspace" error={faultAt(save.error, 'name')}>
        {ties => (
          <Input
            {...ties}
            autoComplete="organization"
            required
            maxLength={200}
            value={draft.value.name}
            onChange={event => draft.change({ name: event.target.value })}
          />
        )}
      </Labelled>
      <Labelled
        label="Plan"
        help={
          isOwner
            ? 'Sets how fast keys may call and what is included in a month. It takes effect at once.'
            : 'Only an owner changes it.'
        }
        error={faultAt(save.error, 'plan')}
      >
        {ties => (
          <NativeSelect
            {...ties}
            disabled={!isOwner}
            value={draft.value.plan}
            onChange={event => draft.change({ plan: event.target.value as Plan })}
          >
            {Object.entries(PLANS).map(([id, label]) => (
              <option key={id} value={id}>
                {label}
              </option>
            ))}
          </NativeSelect>
        )}
      </Labelled>
      <SaveRow dirty={draft.dirty} saving={save.isPending} saved={save.isSuccess} onForget={draft.forget} />
    </form>
  )
}

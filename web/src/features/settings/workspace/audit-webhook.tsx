import { type FormEvent, useState } from 'react'
import { faultAt } from '@/api/faults'
import { type Account, useChangeAccount, useRotateAuditSecret } from '@/api/settings/account'
import { Button } from '@/components/button'
import { Confirm } from '@/components/dialog'
import { FormFault } from '@/components/form-fault'
import { Input, Labelled } from '@/components/input'
import { useDraft } from '../draft'
import { SaveRow } from '../save-row'
import { ShownOnce } from '../shown-once'

export function AuditWebhook({ account }: { account: Account }) {
  const draft = useDraft('workspace.audit-webhook', { url: account.auditWebhookUrl ?? '' })
  const save = useChangeAccount()
  const rotate = useRotateAuditSecret()
  const [asking, setAsking] = useState(false)
  const [secret, setSecret] = useState<string | null>(null)
  const showNewSecret = () =>
    rotate.mutate(undefined, { onSuccess: setSecret, onSettled: () => setAsking(false) })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const sent = draft.value
    const url = sent.url.trim() || null
    const onSuccess = () => {
      draft.forgetSaved(sent)
      // A receiver that was never there before needs a secret, and nobody has seen one yet.
      if (url !== null && account.auditWebhookUrl === null) showNewSecret()
    }
    save.mutate({ auditWebhookUrl: url }, { onSuccess })
  }
  return (
    <form onSubmit={submit} className="flex max-w-xl flex-col gap-4">
      <FormFault error={save.error ?? rotate.error} paths={['auditWebhookUrl']} />
      <Labelled
        label="Address"
        help="Empty: no copies are sent. When you set the first one, the secret that signs it is shown."
        error={faultAt(save.error, 'auditWebhookUrl')}
      >
        {ties => (
          <Input
            {...ties}
            type="url"
            inputMode="url"
            placeholder="https://"
            value={draft.value.url}
            onChange={event => draft.change({ url: event.target.value })}
          />
        )}
      </Labelled>
      <div className="flex flex-wrap items-center gap-2">
        <SaveRow
          label="Save address"
          dirty={draft.dirty}
          saving={save.isPending}
          saved={save.isSuccess}
          onForget={draft.forget}
        />
        {account.auditWebhookUrl !== null && (
          <Button className="max-md:h-11" onClick={() => setAsking(true)}>
            New secret …
          </Button>
        )}
      </div>
      <Confirm
        open={asking}
        onClose={() => setAsking(false)}
        title="Make a new secret for the audit webhook?"
        confirm="Make a new secret"
        busy={rotate.isPending}
        onConfirm={showNewSecret}
      >
        The old secret ends at once. Until your receiver has the new one, it cannot verify what it gets.
      </Confirm>
      <ShownOnce
        title="Secret of the audit webhook"
        label="Signing secret"
        text={secret}
        onClose={() => setSecret(null)}
      >
        It is shown this once. Your receiver verifies the signature of each call with it (Standard Webhooks).
      </ShownOnce>
    </form>
  )
}

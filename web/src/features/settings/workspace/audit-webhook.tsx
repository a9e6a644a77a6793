import { t } from '@lingui/core/macro'
import { type FormEvent, useState } from 'react'
import { getFieldError } from '@/api/errors'
import { type Account, useRotateAuditSecret, useUpdateAccount } from '@/api/settings/account'
import { Button } from '@/components/button'
import { Confirm } from '@/components/dialog'
import { FormError } from '@/components/form-error'
import { Input, LabeledField } from '@/components/input'
import { SaveRow } from '../save-row'
import { SecretDialog } from '../secret-dialog'
import { useDraft } from '../use-draft'

export function AuditWebhook({ account }: { account: Account }) {
  const draft = useDraft('workspace.audit-webhook', { url: account.auditWebhookUrl ?? '' })
  const save = useUpdateAccount()
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
      // A new endpoint needs the signing secret, which nobody has seen yet.
      if (url !== null && account.auditWebhookUrl === null) showNewSecret()
    }
    save.mutate({ auditWebhookUrl: url }, { onSuccess })
  }
  return (
    <form onSubmit={submit} className="flex max-w-xl flex-col gap-4">
      <FormError error={save.error ?? rotate.error} paths={['auditWebhookUrl']} />
      <LabeledField
        label={t`Webhook URL`}
        help={t`Leave empty to turn it off. When you first add a URL, we show you the signing secret.`}
        error={getFieldError(save.error, 'auditWebhookUrl')}
      >
        {attributes => (
          <Input
            {...attributes}
            type="url"
            inputMode="url"
            placeholder="https://"
            value={draft.value.url}
            onChange={event => draft.change({ url: event.target.value })}
          />
        )}
      </LabeledField>
      <div className="flex flex-wrap items-center gap-2">
        <SaveRow
          label={t`Save URL`}
          dirty={draft.dirty}
          saving={save.isPending}
          saved={save.isSuccess}
          onForget={draft.forget}
        />
        {account.auditWebhookUrl !== null && (
          <Button onClick={() => setAsking(true)}>{t`Rotate secret…`}</Button>
        )}
      </div>
      <Confirm
        open={asking}
        onClose={() => setAsking(false)}
        title={t`Rotate the audit webhook secret?`}
        confirm={t`Rotate secret`}
        busy={rotate.isPending}
        onConfirm={showNewSecret}
      >
        {t`For 24 hours, events are signed with both the old and the new secret. Update your endpoint within that time. If you rotate again within 24 hours, only the two newest secrets stay valid.`}
      </Confirm>
      <SecretDialog
        title={t`Audit webhook secret`}
        label={t`Signing secret`}
        text={secret}
        onClose={() => setSecret(null)}
      >
        {t`Copy it now. You won't be able to see it again. Use it to verify event signatures (Standard Webhooks).`}
      </SecretDialog>
    </form>
  )
}

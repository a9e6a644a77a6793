import { t } from '@lingui/core/macro'
import { useState } from 'react'
import { type Account, useRotateAuditSecret, useUpdateAccount } from '@/api/settings/account'
import { Button } from '@/components/button'
import { Confirm } from '@/components/dialog'
import { FormError } from '@/components/form-error'
import { Input } from '@/components/input'
import { Field, Form, SaveRow, useForm } from '../form'
import { SecretDialog } from '../secret-dialog'

export function AuditWebhook({ account }: { account: Account }) {
  const rotate = useRotateAuditSecret()
  const [asking, setAsking] = useState(false)
  const [secret, setSecret] = useState<string | null>(null)
  const showNewSecret = () =>
    rotate.mutate(undefined, { onSuccess: setSecret, onSettled: () => setAsking(false) })
  const form = useForm({
    storedAs: 'workspace.audit-webhook',
    saved: { auditWebhookUrl: account.auditWebhookUrl ?? '' },
    save: useUpdateAccount(),
    toBody: value => ({ auditWebhookUrl: value.auditWebhookUrl.trim() || null }),
    // A new endpoint needs the signing secret, which nobody has seen yet.
    onSaved: (_, sent) => {
      if (sent.auditWebhookUrl.trim() && account.auditWebhookUrl === null) showNewSecret()
    },
  })
  return (
    <Form form={form} className="flex max-w-xl flex-col gap-4">
      {!form.error && <FormError error={rotate.error} />}
      <Field
        form={form}
        name="auditWebhookUrl"
        label={t`Webhook URL`}
        help={t`Leave empty to turn off the audit webhook. When you first add a URL, we show you the signing secret.`}
      >
        {attributes => <Input {...attributes} type="url" inputMode="url" placeholder="https://" />}
      </Field>
      <div className="flex flex-wrap items-center gap-2">
        <SaveRow form={form} label={t`Save URL`} />
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
    </Form>
  )
}

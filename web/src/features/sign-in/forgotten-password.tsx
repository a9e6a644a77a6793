import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useMutation, useQuery } from '@tanstack/react-query'
import { type FormEvent, useId, useState } from 'react'
import { isStatus } from '@/api/client'
import { requestPasswordReset } from '@/api/mails'
import { methodsQuery } from '@/api/sign-in'
import { Button } from '@/components/button'
import { Dialog } from '@/components/dialog'
import { FormError } from '@/components/form-error'
import { Input, LabeledField } from '@/components/input'
import { Notice } from '@/components/status'

type Props = { open: boolean; onClose: () => void }

/** Emails a reset link, or says who to ask if the service sends no email. */
export function ForgottenPassword({ open, onClose }: Props) {
  const methods = useQuery(methodsQuery)
  return methods.data?.mail ? (
    <ResetByEmail open={open} onClose={onClose} />
  ) : (
    <AskAdmin open={open} onClose={onClose} />
  )
}

function ResetByEmail({ open, onClose }: Props) {
  const form = useId()
  const [email, setEmail] = useState('')
  const ask = useMutation({ mutationFn: () => requestPasswordReset(email) })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (!ask.isPending) ask.mutate()
  }
  const close = () => {
    ask.reset()
    onClose()
  }
  return (
    <Dialog
      open={open}
      onClose={close}
      title={t`Forgot your password?`}
      actions={
        ask.isSuccess ? (
          <Button onClick={close}>{t`Close`}</Button>
        ) : (
          <>
            <Button onClick={close}>{t`Cancel`}</Button>
            <Button kind="primary" type="submit" form={form} busy={ask.isPending}>
              {t`Send reset link`}
            </Button>
          </>
        )
      }
    >
      <div aria-live="polite">
        {ask.isSuccess ? (
          <LinkSent to={email} />
        ) : (
          <form id={form} onSubmit={submit} className="flex flex-col gap-4">
            {isStatus(ask.error, 429) ? (
              <div role="alert">
                <Notice tone="bad">{t`Too many requests. Try again in an hour.`}</Notice>
              </div>
            ) : (
              <FormError error={ask.error} />
            )}
            <p>{t`We'll email you a link to choose a new password.`}</p>
            <LabeledField label={t`Email`}>
              {attributes => (
                <Input
                  {...attributes}
                  type="email"
                  autoComplete="username"
                  autoCapitalize="none"
                  spellCheck={false}
                  required
                  value={email}
                  onChange={event => setEmail(event.target.value)}
                />
              )}
            </LabeledField>
          </form>
        )}
      </div>
    </Dialog>
  )
}

function LinkSent({ to }: { to: string }) {
  const email = <strong>{to}</strong>
  return (
    <p className="[overflow-wrap:anywhere]">
      <Trans>
        If an account exists for {email}, we emailed you a reset link. The link works once and expires in 24
        hours. Check your spam folder if you don't see it.
      </Trans>
    </p>
  )
}

function AskAdmin({ open, onClose }: Props) {
  const command = (
    <code className="whitespace-nowrap rounded bg-sunken px-1 py-0.5">
      signoff sign-in-link you@example.com
    </code>
  )
  return (
    <Dialog
      open={open}
      onClose={onClose}
      title={t`Forgot your password?`}
      actions={<Button onClick={onClose}>{t`Close`}</Button>}
    >
      <div className="flex flex-col gap-3">
        <p>
          <Trans>
            <strong>Ask a workspace admin.</strong> They can create a one-time sign-in link for you in
            Settings → Members. It expires in 24 hours and lets you choose a new password.
          </Trans>
        </p>
        <p>
          <Trans>
            <strong>Do you run this server?</strong> You can create a link yourself with {command}.
          </Trans>
        </p>
        <p className="text-muted">
          {t`Email isn't set up. Ask an admin for a sign-in link. If your workspace uses single sign-on, you don't need a password.`}
        </p>
      </div>
    </Dialog>
  )
}

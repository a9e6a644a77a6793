import { useMutation, useQuery } from '@tanstack/react-query'
import { type FormEvent, useId, useState } from 'react'
import { isStatus } from '@/api/client'
import { forgotPassword } from '@/api/mails'
import { methodsQuery } from '@/api/sign-in'
import { Button } from '@/components/button'
import { Dialog } from '@/components/dialog'
import { FormFault } from '@/components/form-fault'
import { Input, Labelled } from '@/components/input'
import { Notice } from '@/components/status'

type Props = { open: boolean; onClose: () => void }

/** Sends a link where mails are sent, and says whom to ask where they are not. */
export function ForgottenPassword({ open, onClose }: Props) {
  const methods = useQuery(methodsQuery)
  return methods.data?.mail ? (
    <ByMail open={open} onClose={onClose} />
  ) : (
    <ByAsking open={open} onClose={onClose} />
  )
}

function ByMail({ open, onClose }: Props) {
  const form = useId()
  const [email, setEmail] = useState('')
  const ask = useMutation({ mutationFn: () => forgotPassword(email) })
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
      title="Forgot your password?"
      actions={
        ask.isSuccess ? (
          <Button onClick={close}>Close</Button>
        ) : (
          <>
            <Button onClick={close}>Cancel</Button>
            <Button kind="primary" type="submit" form={form} busy={ask.isPending}>
              Send me a link
            </Button>
          </>
        )
      }
    >
      <div aria-live="polite">
        {ask.isSuccess ? (
          <p className="[overflow-wrap:anywhere]">
            If <strong>{email}</strong> belongs to somebody here, a mail is on its way. Its link lets you
            choose a new password; it works once, for 24 hours. Look into the spam folder too.
          </p>
        ) : (
          <form id={form} onSubmit={submit} className="flex flex-col gap-4">
            {isStatus(ask.error, 429) ? (
              <div role="alert">
                <Notice tone="bad">Too many links were asked for from here. Try again in an hour.</Notice>
              </div>
            ) : (
              <FormFault error={ask.error} />
            )}
            <p>We send you a link by which you choose a new one.</p>
            <Labelled label="Your e-mail address">
              {ties => (
                <Input
                  {...ties}
                  type="email"
                  autoComplete="username"
                  autoCapitalize="none"
                  spellCheck={false}
                  required
                  value={email}
                  onChange={event => setEmail(event.target.value)}
                />
              )}
            </Labelled>
          </form>
        )}
      </div>
    </Dialog>
  )
}

function ByAsking({ open, onClose }: Props) {
  return (
    <Dialog
      open={open}
      onClose={onClose}
      title="Forgot your password?"
      actions={<Button onClick={onClose}>Close</Button>}
    >
      <div className="flex flex-col gap-3">
        <p>
          <strong>Ask an administrator of your workspace.</strong> Under Settings → People they make a
          one-time sign-in link for you. It works for 24 hours and lets you choose a new password.
        </p>
        <p>
          If there is nobody to ask: whoever runs the service gets a link for you with{' '}
          <code className="whitespace-nowrap rounded bg-sunken px-1 py-0.5">
            signoff sign-in-link your@address
          </code>{' '}
          on its machine.
        </p>
        <p className="text-muted">
          No mail is sent, for no mail server is set up here: they hand the link to you. If your workspace
          signs in through an identity provider, you need no password here at all.
        </p>
      </div>
    </Dialog>
  )
}

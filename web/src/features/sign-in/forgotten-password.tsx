import { Button } from '@/components/button'
import { Dialog } from '@/components/dialog'

export function ForgottenPassword({ open, onClose }: { open: boolean; onClose: () => void }) {
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
          No mail is sent: they hand the link to you. If your workspace signs in through an identity provider,
          you need no password here at all.
        </p>
      </div>
    </Dialog>
  )
}

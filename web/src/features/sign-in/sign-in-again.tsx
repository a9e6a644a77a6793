import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useMutation, useQuery } from '@tanstack/react-query'
import { CircleAlert } from 'lucide-react'
import { type FormEvent, Suspense, useRef, useState } from 'react'
import { goToSignIn } from '@/api/session'
import { methodsQuery, signIn } from '@/api/sign-in'
import { announceSignIn } from '@/api/sign-in-broadcast'
import { type PageUser, signInGuard } from '@/api/sign-in-guard'
import { Button } from '@/components/button'
import { Dialog } from '@/components/dialog'
import { LabeledField } from '@/components/input'
import { lazyPart } from '@/components/lazy'
import { LoadingDialog } from '@/components/loading-dialog'
import { PasswordInput } from '@/components/password-input'
import { Notice } from '@/components/status'
import { isTyping } from '@/lib/shortcuts'
import { HiddenUsername } from './hidden-username'
import { ContinueWith } from './oidc-link'
import { getSignInError } from './sign-in-error'

const ForgottenPassword = lazyPart(async () => ({
  default: (await import('./forgotten-password')).ForgottenPassword,
}))

/**
 * Covers the page of a member whose sign-in has ended. Everything on the page stays and continues once they are back.
 */
export function SignInAgain({ owner }: { owner: PageUser }) {
  const methods = useQuery(methodsQuery)
  const [password, setPassword] = useState('')
  const [forgotten, setForgotten] = useState(false)
  const remember = () => setForgotten(false)
  // Keys that are being typed right now must not end up in the password field.
  const [wasTyping] = useState(() => isTyping(document.activeElement))
  const field = useRef<HTMLInputElement>(null)
  const attempt = useMutation({
    mutationFn: () => signIn(owner.email, password),
    onSuccess: ({ user }) => {
      announceSignIn(user.userId)
      signInGuard.handleSignIn(user.userId)
    },
    onError: () => field.current?.select(),
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (!attempt.isPending) attempt.mutate()
  }
  const oidc = methods.data?.oidc
  const email = <strong className="font-medium">{owner.email}</strong>
  return (
    <Dialog
      open
      firm
      closable={false}
      onClose={() => undefined}
      title={t`Sign in again`}
      description={t`Your session has ended. Sign in to continue. Your work on this page is saved.`}
    >
      <div
        className="flex flex-col gap-4 outline-none"
        tabIndex={-1}
        data-first-focus={wasTyping || undefined}
      >
        {oidc && <ContinueWith oidc={oidc} next="/signed-in" target="_blank" />}
        <form onSubmit={submit} method="post" className="flex flex-col gap-4">
          {attempt.error && (
            <div role="alert">
              <Notice tone="bad" icon={<CircleAlert />}>
                {getSignInError(attempt.error)}
              </Notice>
            </div>
          )}
          <p className="[overflow-wrap:anywhere]">
            <Trans>Signing in as {email}</Trans>
          </p>
          <HiddenUsername email={owner.email} />
          <LabeledField label={t`Password`}>
            {attributes => (
              <PasswordInput
                {...attributes}
                ref={field}
                name="password"
                autoComplete="current-password"
                required
                value={password}
                onChange={event => setPassword(event.target.value)}
              />
            )}
          </LabeledField>
          <Button type="submit" kind="primary" busy={attempt.isPending}>
            {t`Sign in`}
          </Button>
        </form>
        <p className="text-muted text-sm">
          {t`You can also use a one-time link: open it in another tab of this browser, then come back here.`}
        </p>
        <p className="flex flex-wrap gap-x-4 gap-y-1">
          <button
            type="button"
            onClick={() => setForgotten(true)}
            className="py-1 text-accent underline-offset-2 hover:underline"
          >
            {t`Forgot your password?`}
          </button>
          <button
            type="button"
            onClick={goToSignIn}
            className="py-1 text-accent underline-offset-2 hover:underline"
          >
            {t`Sign in as someone else`}
          </button>
        </p>
      </div>
      {forgotten && (
        <Suspense fallback={<LoadingDialog title={t`Forgot your password?`} onClose={remember} />}>
          <ForgottenPassword open onClose={remember} />
        </Suspense>
      )}
    </Dialog>
  )
}

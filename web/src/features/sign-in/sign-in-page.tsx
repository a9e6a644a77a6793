import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { useSearch } from '@tanstack/react-router'
import { CircleAlert } from 'lucide-react'
import { useEffect, useState } from 'react'
import { meQuery } from '@/api/session'
import { methodsQuery } from '@/api/sign-in'
import { Notice, Spinner } from '@/components/status'
import { ForgottenPassword } from './forgotten-password'
import { Frame } from './frame'
import { LinkPage } from './link-page'
import { getOidcErrorText } from './oidc-errors'
import { ContinueWith } from './oidc-link'
import { PasswordForm } from './password-form'
import { useAfterSignIn } from './use-after-sign-in'

export function SignInPage() {
  const { token, next, error } = useSearch({ from: '/sign-in' })
  const arrive = useAfterSignIn(next)
  if (token) return <LinkPage key={token} token={token} onSignedIn={arrive} />
  return <SignInForm next={next} error={error} />
}

function SignInForm({ next, error }: { next?: string; error?: string }) {
  const arrive = useAfterSignIn(next)
  const me = useQuery(meQuery)
  const signedIn = me.data
  useEffect(() => {
    if (signedIn) arrive(signedIn)
  }, [signedIn, arrive])
  if (me.isPending || signedIn)
    return (
      <Frame title={t`Sign in`}>
        <Spinner />
      </Frame>
    )
  return <SignInMethods next={next} error={error} onSignedIn={arrive} />
}

function SignInMethods({
  next,
  error,
  onSignedIn,
}: {
  next?: string
  error?: string
  onSignedIn: ReturnType<typeof useAfterSignIn>
}) {
  const methods = useQuery(methodsQuery)
  const [forgotten, setForgotten] = useState(false)
  const oidc = methods.data?.oidc
  return (
    <Frame title={t`Sign in`} foot={methods.data?.firstRun ? <FirstRun /> : undefined}>
      {error && (
        <div role="alert">
          <Notice tone="bad" icon={<CircleAlert />}>
            {getOidcErrorText(error)}
          </Notice>
        </div>
      )}
      {oidc && <ContinueWith oidc={oidc} next={next} />}
      <PasswordForm onSignedIn={onSignedIn} onForgotten={() => setForgotten(true)} />
      <ForgottenPassword open={forgotten} onClose={() => setForgotten(false)} />
    </Frame>
  )
}

/** Only the host has the setup link: everyone else needs an invitation. */
function FirstRun() {
  return (
    <div className="flex flex-col gap-2 text-muted">
      <p>
        <Trans>
          <strong className="font-medium text-ink">Setting up this server?</strong> It printed a one-time link
          when it started. Open that link to become the owner.
        </Trans>
      </p>
      <p>
        <Trans>
          <strong className="font-medium text-ink">Joining a team?</strong> Ask the person who set up the
          server for an invite.
        </Trans>
      </p>
    </div>
  )
}

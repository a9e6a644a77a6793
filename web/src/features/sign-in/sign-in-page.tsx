import { useQuery } from '@tanstack/react-query'
import { useSearch } from '@tanstack/react-router'
import { CircleAlert } from 'lucide-react'
import { useEffect, useState } from 'react'
import { ROOT } from '@/api/client'
import { meQuery } from '@/api/session'
import { methodsQuery } from '@/api/sign-in'
import { Notice, Spinner } from '@/components/status'
import { useArrival } from './arrival'
import { ForgottenPassword } from './forgotten-password'
import { Frame } from './frame'
import { LinkPage } from './link-page'
import { nextPath } from './next-path'
import { oidcErrorWords } from './oidc-errors'
import { PasswordForm } from './password-form'

export function SignInPage() {
  const { token, next, error } = useSearch({ from: '/sign-in' })
  const arrive = useArrival(next)
  if (token) return <LinkPage key={token} token={token} onSignedIn={arrive} />
  return <Door next={next} error={error} />
}

function Door({ next, error }: { next?: string; error?: string }) {
  const arrive = useArrival(next)
  const me = useQuery(meQuery)
  const signedIn = me.data
  useEffect(() => {
    if (signedIn) arrive(signedIn)
  }, [signedIn, arrive])
  if (me.isPending || signedIn)
    return (
      <Frame title="Sign in">
        <Spinner />
      </Frame>
    )
  return <Ways next={next} error={error} onSignedIn={arrive} />
}

function Ways({
  next,
  error,
  onSignedIn,
}: {
  next?: string
  error?: string
  onSignedIn: ReturnType<typeof useArrival>
}) {
  const methods = useQuery(methodsQuery)
  const [forgotten, setForgotten] = useState(false)
  const oidc = methods.data?.oidc
  return (
    <Frame title="Sign in" foot={methods.data?.firstRun ? <FirstRun /> : undefined}>
      {error && (
        <div role="alert">
          <Notice tone="bad" icon={<CircleAlert size={16} aria-hidden="true" />}>
            {oidcErrorWords(error)}
          </Notice>
        </div>
      )}
      {oidc && (
        <>
          <a
            href={startAddress(oidc.startUrl, next)}
            className="inline-flex h-8 items-center justify-center rounded-md border border-line bg-surface px-3 font-medium hover:bg-sunken max-md:h-11"
          >
            Continue with {oidc.name}
          </a>
          <p className="flex items-center gap-3 text-muted text-sm before:h-px before:flex-1 before:bg-line after:h-px after:flex-1 after:bg-line">
            or
          </p>
        </>
      )}
      <PasswordForm onSignedIn={onSignedIn} onForgotten={() => setForgotten(true)} />
      <ForgottenPassword open={forgotten} onClose={() => setForgotten(false)} />
    </Frame>
  )
}

function startAddress(startUrl: string, next: string | undefined): string {
  const address = new URL(startUrl, document.baseURI)
  if (next) address.searchParams.set('next', nextPath(next, ROOT, location.origin))
  return address.href
}

function FirstRun() {
  return (
    <p className="text-muted">
      <strong className="font-medium text-ink">Is this installation new?</strong> The service printed a
      one-time link when it started. Open that: it makes you the owner.
    </p>
  )
}

import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { ApiError } from '@/api/client'
import { type Me, meQuery } from '@/api/session'
import { type LinkInfo, linkInfoQuery } from '@/api/sign-in'
import { Button } from '@/components/button'
import { Notice, Spinner } from '@/components/status'
import { Frame } from './frame'
import { InvitationForm } from './invitation-form'
import { ResetForm } from './reset-form'
import { WelcomeForm } from './welcome-form'

/** What is behind a one-time link: a welcome, an invitation, or a new password. */
export function LinkPage({ token, onSignedIn }: { token: string; onSignedIn: (me: Me) => void }) {
  const link = useQuery(linkInfoQuery(token))
  if (link.isPending)
    return (
      <Frame title="One moment">
        <Spinner label="Reading the link" />
      </Frame>
    )
  if (link.isError) return <LinkFailure error={link.error} onRetry={() => link.refetch()} />
  return (
    <Frame {...headings(link.data)}>
      <OtherPerson email={link.data.email} />
      <Purpose info={link.data} token={token} onSignedIn={onSignedIn} />
    </Frame>
  )
}

function headings({ purpose, accountName, email, hasPassword }: LinkInfo) {
  if (purpose === 'first_run')
    return {
      title: 'Welcome to Signoff',
      lead: 'This workspace is new, and yours. A few words about it and you, and you are in.',
    }
  const whose = (
    <>
      You sign in as <strong className="font-medium text-ink">{email}</strong>.
    </>
  )
  if (purpose === 'invitation') return { title: `Join ${accountName}`, lead: whose }
  return { title: hasPassword ? 'Choose a new password' : 'Choose a password', lead: whose }
}

function Purpose(props: { info: LinkInfo; token: string; onSignedIn: (me: Me) => void }) {
  switch (props.info.purpose) {
    case 'first_run':
      return <WelcomeForm {...props} />
    case 'invitation':
      return <InvitationForm {...props} />
    case 'password_reset':
      return <ResetForm {...props} />
  }
}

/** Somebody else is signed in here: say so before the link takes their place. */
function OtherPerson({ email }: { email: string }) {
  const me = useQuery(meQuery)
  if (!me.data || me.data.user.email === email) return null
  return (
    <Notice tone="warn">
      This browser is signed in as {me.data.user.email}. Going on signs them out here.
    </Notice>
  )
}

const FAILURES: Record<string, { title: string; words: string }> = {
  link_used: {
    title: 'This link was used before',
    words: 'Each link works once. If it was you, sign in with the password that you chose then.',
  },
  link_expired: {
    title: 'This link has expired',
    words: 'Invitations work for 7 days, other links for 24 hours. Ask an administrator for a new one.',
  },
  link_invalid: {
    title: 'This link is not valid',
    words:
      'It may be cut off, or a newer one took its place. Check that you have all of it, or ask for a new one.',
  },
}

export function LinkFailure({ error, onRetry }: { error: Error; onRetry?: () => void }) {
  const known = error instanceof ApiError ? FAILURES[error.code] : undefined
  if (!known)
    return (
      <Frame title="The link could not be read" lead={error.message}>
        {onRetry && <Button onClick={onRetry}>Try again</Button>}
      </Frame>
    )
  return (
    <Frame title={known.title} lead={known.words}>
      <Link to="/sign-in" className="text-accent underline underline-offset-2">
        Sign in with your password
      </Link>
    </Frame>
  )
}

/** Whether it is the link that can no longer be used, and not something that was typed. */
export const isLinkFailure = (error: unknown): error is ApiError =>
  error instanceof ApiError && error.code in FAILURES

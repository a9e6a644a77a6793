import type { MessageDescriptor } from '@lingui/core'
import { msg, t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { ApiError } from '@/api/client'
import { type Me, meQuery } from '@/api/session'
import { type LinkInfo, linkInfoQuery } from '@/api/sign-in'
import { Button } from '@/components/button'
import { Notice, Spinner } from '@/components/status'
import { i18n } from '@/lib/i18n'
import { Frame } from './frame'
import { InvitationForm } from './invitation-form'
import { ResetForm } from './reset-form'
import { WelcomeForm } from './welcome-form'

/** The page behind a one-time link: a welcome, an invitation, or a new password. */
export function LinkPage({ token, onSignedIn }: { token: string; onSignedIn: (me: Me) => void }) {
  const link = useQuery(linkInfoQuery(token))
  if (link.isPending)
    return (
      <Frame title={t`One moment…`}>
        <Spinner label={t`Checking link…`} />
      </Frame>
    )
  if (link.isError) return <LinkFailure error={link.error} onRetry={() => link.refetch()} />
  return (
    <Frame {...getHeading(link.data)}>
      <SignedInAsOther email={link.data.email} />
      <Purpose info={link.data} token={token} onSignedIn={onSignedIn} />
    </Frame>
  )
}

function getHeading({ purpose, accountName, hasPassword, ...info }: LinkInfo) {
  if (purpose === 'first_run') return { title: t`Create your workspace` }
  const email = <strong className="font-medium text-ink">{info.email}</strong>
  const lead = <Trans>You'll sign in as {email}.</Trans>
  if (purpose === 'invitation') return { title: t`Join ${{ workspaceName: accountName }}`, lead }
  return { title: hasPassword ? t`Choose a new password` : t`Choose a password`, lead }
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

/** Someone else is signed in here: warn before the link signs them out. */
function SignedInAsOther({ email }: { email: string }) {
  const me = useQuery(meQuery)
  if (!me.data || me.data.user.email === email) return null
  return (
    <Notice tone="warn">
      {t`This browser is signed in as ${{ email: me.data.user.email }}. Continuing signs that account out.`}
    </Notice>
  )
}

const FAILURES: Record<string, { title: MessageDescriptor; words: MessageDescriptor }> = {
  link_used: {
    title: msg`This link was already used`,
    words: msg`This link works only once. If you already used it, sign in with the password you chose.`,
  },
  link_expired: {
    title: msg`This link has expired`,
    words: msg`Invites expire after 7 days, and other links after 24 hours. Ask an admin for a new link.`,
  },
  link_invalid: {
    title: msg`This link isn't valid`,
    words: msg`Part of it may be missing, or a newer link may have replaced it. Copy the full link, or ask for a new one.`,
  },
}

export function LinkFailure({ error, onRetry }: { error: Error; onRetry?: () => void }) {
  const known = error instanceof ApiError ? FAILURES[error.code] : undefined
  if (!known)
    return (
      <Frame title={t`Couldn't check this link`} lead={error.message}>
        {onRetry && <Button onClick={onRetry}>{t`Try again`}</Button>}
      </Frame>
    )
  return (
    <Frame title={i18n._(known.title)} lead={i18n._(known.words)}>
      <Link to="/sign-in" className="text-accent underline underline-offset-2">
        {t`Sign in with your password`}
      </Link>
    </Frame>
  )
}

/** Whether the link itself can no longer be used, as opposed to a typing error. */
export const isLinkFailure = (error: unknown): error is ApiError =>
  error instanceof ApiError && error.code in FAILURES

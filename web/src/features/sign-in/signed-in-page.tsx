import { t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useEffect } from 'react'
import { meQuery } from '@/api/session'
import { announceSignIn } from '@/api/sign-in-broadcast'
import { Spinner } from '@/components/status'
import { Frame } from './frame'

/** The identity provider returns here if another tab waits for the sign-in. */
export function SignedInPage() {
  const me = useQuery(meQuery)
  const userId = me.data?.user.userId
  useEffect(() => {
    if (userId === undefined) return
    announceSignIn(userId)
    // Works only for a tab that a page opened; other tabs say what to do.
    window.close()
  }, [userId])
  if (me.isPending)
    return (
      <Frame title={t`Signing in…`}>
        <Spinner />
      </Frame>
    )
  if (!me.data)
    return (
      <Frame title={t`You're not signed in`} lead={t`Go back to the other tab and try again.`}>
        <Link to="/sign-in" className="text-accent underline underline-offset-2">
          {t`Sign in here`}
        </Link>
      </Frame>
    )
  return (
    <Frame title={t`You're signed in`} lead={t`You can close this tab and continue in the other one.`}>
      <Link to="/" className="text-accent underline underline-offset-2">
        {t`Go to inbox`}
      </Link>
    </Frame>
  )
}

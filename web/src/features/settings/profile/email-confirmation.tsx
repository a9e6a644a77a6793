import { Trans } from '@lingui/react/macro'
import { useEffect, useRef } from 'react'
import { useConfirmEmail } from '@/api/settings/profile'
import { Notice } from '@/components/status'
import { useSearchFilters } from '../use-search'

/** Confirms a new email when the page is opened from the mailed link. */
export function EmailConfirmation() {
  const { search, change } = useSearchFilters()
  const confirm = useConfirmEmail()
  const token = search.confirmEmail
  // The link works once, and React may run an effect twice.
  const sent = useRef<string>(null)
  useEffect(() => {
    if (!token || sent.current === token) return
    sent.current = token
    confirm.mutate(token)
    change({ confirmEmail: '' })
  }, [token, confirm.mutate, change])
  const email = <bdi>{confirm.data?.user.email}</bdi>
  return (
    <div aria-live="polite">
      {confirm.isSuccess && (
        <Notice tone="good">
          <Trans>Your email address is now {email}.</Trans>
        </Notice>
      )}
      {confirm.isError && <Notice tone="bad">{confirm.error.message}</Notice>}
    </div>
  )
}

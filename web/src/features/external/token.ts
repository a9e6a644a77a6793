import { useEffect, useMemo } from 'react'
import { readFromTab, storeInTab } from '@/lib/tab-storage'

const getStorageKey = (reviewId: string) => `signoff.link.${reviewId}`

/**
 * The token of an external link. It's removed from the URL, where it could be seen, copied or shared, and kept for as
 * long as the tab is open.
 */
export function useLinkToken(reviewId: string, inAddress: string | undefined): string | null {
  const token = useMemo(() => {
    if (inAddress) storeInTab(getStorageKey(reviewId), inAddress)
    return inAddress ?? readFromTab<string>(getStorageKey(reviewId))
  }, [reviewId, inAddress])
  useEffect(() => {
    if (inAddress) history.replaceState(history.state, '', location.pathname)
  }, [inAddress])
  return token
}

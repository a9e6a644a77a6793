import { useEffect, useMemo } from 'react'

const getStorageKey = (reviewId: string) => `signoff.link.${reviewId}`

/**
 * The token of the link by which somebody came. It is taken out of the address, where it would be seen, copied and sent
 * along, and kept for as long as the tab is open.
 */
export function useLinkToken(reviewId: string, inAddress: string | undefined): string | null {
  const token = useMemo(() => {
    if (inAddress) sessionStorage.setItem(getStorageKey(reviewId), inAddress)
    return inAddress ?? sessionStorage.getItem(getStorageKey(reviewId))
  }, [reviewId, inAddress])
  useEffect(() => {
    if (inAddress) history.replaceState(history.state, '', location.pathname)
  }, [inAddress])
  return token
}

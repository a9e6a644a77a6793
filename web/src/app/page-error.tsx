import { t } from '@lingui/core/macro'
import { useQueryClient } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { ApiError } from '@/api/client'
import { ErrorState } from '@/components/status'

/** Shown in place of a page that failed; the layout around it stays. Going to another page removes it. */
export function PageError({ error }: { error: unknown }) {
  const client = useQueryClient()
  const router = useRouter()
  const retry = () => {
    // What the page has read may be why it failed. Resetting the boundary alone wouldn't load it again.
    client.removeQueries({ type: 'inactive' })
    void router.invalidate()
  }
  return (
    <ErrorState
      title={t`Couldn't load this page`}
      // The message of any other error is for developers, who find it in the console.
      error={error instanceof ApiError ? error : null}
      onRetry={retry}
    />
  )
}

import { t } from '@lingui/core/macro'
import { useRouter } from '@tanstack/react-router'
import { ApiError } from '@/api/client'
import { ErrorState } from '@/components/status'

/** Shown in place of a page that failed; the layout around it stays. Going to another page removes it. */
export function PageError({ error }: { error: unknown }) {
  const router = useRouter()
  return (
    <ErrorState
      title={t`Couldn't load this page`}
      // The message of any other error is for developers, who find it in the console.
      error={error instanceof ApiError ? error : null}
      // Resetting the boundary alone wouldn't load what the page needs again.
      onRetry={() => void router.invalidate()}
    />
  )
}

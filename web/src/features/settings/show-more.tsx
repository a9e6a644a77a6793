import { t } from '@lingui/core/macro'
import type { UseInfiniteQueryResult } from '@tanstack/react-query'
import { Button } from '@/components/button'

/** Loads the next page of a list, and says how many rows are shown. */
export function ShowMore({
  query,
  children,
}: {
  query: Pick<
    UseInfiniteQueryResult,
    'hasNextPage' | 'isFetching' | 'isFetchingNextPage' | 'refetch' | 'fetchNextPage'
  >
  /** The number of shown rows, as a message. */
  children: string
}) {
  const showMore = async () => {
    // Fetching the next page during a refetch would abort the refetch.
    if (query.isFetching) await query.refetch({ cancelRefetch: false })
    await query.fetchNextPage()
  }
  return (
    <div className="flex flex-wrap items-center gap-3 text-muted text-sm">
      {query.hasNextPage && (
        <Button busy={query.isFetchingNextPage} onClick={showMore}>
          {query.isFetchingNextPage ? t`Loading…` : t`Show more`}
        </Button>
      )}
      <span role="status">{children}</span>
    </div>
  )
}

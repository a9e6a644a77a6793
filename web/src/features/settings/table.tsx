import { t } from '@lingui/core/macro'
import type { UseInfiniteQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Button } from '@/components/button'
import { classes } from '@/lib/classes'

/** The style of every table in the settings. */
export const TABLE = 'w-full border-collapse text-start'
export const HEAD =
  'whitespace-nowrap border-line border-b py-1.5 pe-4 font-medium text-muted text-sm last:pe-0'
export const CELL = 'border-line border-b py-2 pe-4 align-middle last:pe-0 pointer-coarse:py-2.5'

/** Wide tables scroll in their own box, so that the page never scrolls sideways. */
export function TableFrame({ label, children }: { label: string; children: ReactNode }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable areas must be focusable
    <section aria-label={label} tabIndex={0} className="relative overflow-x-auto rounded-sm">
      {children}
    </section>
  )
}

/** Loads the next page of a list, and says how many rows are shown. */
export function More({
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
    <div className={classes('flex flex-wrap items-center gap-3 text-muted text-sm')}>
      {query.hasNextPage && (
        <Button busy={query.isFetchingNextPage} onClick={showMore}>
          {query.isFetchingNextPage ? t`Loading…` : t`Show more`}
        </Button>
      )}
      <span role="status">{children}</span>
    </div>
  )
}

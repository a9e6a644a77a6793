import { useInfiniteQuery } from '@tanstack/react-query'
import { useCallback, useMemo } from 'react'
import { type PendingDecision, usePendingDecisions } from '@/api/decisions'
import {
  matchFilters,
  type ReviewFilters,
  type ReviewRow,
  toDecidedRow,
  type Viewer,
} from '@/api/review-filters'
import { getListRules, getViewer, reviewListQuery, reviewRows } from '@/api/reviews'
import { selectRows, useRows } from '@/api/row-store'
import { useMe } from '@/api/session'

/** The rows of a list, with the member's pending decisions applied. */
export function useReviewRows(filters: ReviewFilters | null) {
  const me = useMe()
  const viewer = useMemo(() => getViewer(me), [me])
  const query = useInfiniteQuery({
    ...reviewListQuery(filters ?? {}),
    enabled: filters !== null,
    // While the member types, the previous results stay until new ones arrive.
    placeholderData: (before, query) => (differsInText(query?.queryKey[2], filters) ? before : undefined),
  })
  const pages = query.data?.pages
  const select = useCallback(
    () => (filters && pages ? selectRows(reviewRows, pages, getListRules(filters, viewer)) : []),
    [filters, pages, viewer],
  )
  const current = useRows(reviewRows, select)
  const pending = usePendingDecisions()
  const rows = useMemo(
    () => (filters && pending.size > 0 ? applyDecisions(current, pending, filters, viewer) : current),
    [current, pending, filters, viewer],
  )
  return { ...query, rows }
}

function differsInText(before: ReviewFilters | undefined, now: ReviewFilters | null): boolean {
  if (!before || !now) return false
  return JSON.stringify({ ...before, q: undefined }) === JSON.stringify({ ...now, q: undefined })
}

/** The rows as they will be once the decisions have arrived. */
function applyDecisions(
  rows: readonly ReviewRow[],
  pending: ReadonlyMap<string, PendingDecision>,
  filters: ReviewFilters,
  viewer: Viewer,
): ReviewRow[] {
  return rows.flatMap(row => {
    const decision = pending.get(row.reviewId)
    if (row.state !== 'pending' || !decision) return [row]
    const after = toDecidedRow(row, decision.response)
    return matchFilters(filters, after, viewer) === 'no' ? [] : [after]
  })
}

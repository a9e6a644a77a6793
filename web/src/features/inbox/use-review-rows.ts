import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query'
import { useCallback, useMemo, useState } from 'react'
import {
  type Decision,
  type PendingDecision,
  useOnDecisionArrived,
  usePendingDecisions,
} from '@/api/decisions'
import type { Review } from '@/api/review'
import {
  matchFilters,
  type ReviewFilters,
  type ReviewRow,
  toDecidedRow,
  type Viewer,
} from '@/api/review-filters'
import type { ReviewList } from '@/api/review-lists'
import { getViewer, patchLists, reviewListKeys, reviewListQuery } from '@/api/reviews'
import { useMe } from '@/api/session'

type Response = Decision['response']

/** The rows of a list, with the member's latest decisions applied before the service confirms them. */
export function useReviewRows(filters: ReviewFilters | null) {
  const me = useMe()
  const viewer = useMemo(() => getViewer(me), [me])
  const query = useInfiniteQuery({
    ...reviewListQuery(filters ?? {}),
    enabled: filters !== null,
    // While the member types, the previous results stay until new ones arrive.
    placeholderData: (before, query) => (differsInText(query?.queryKey[2], filters) ? before : undefined),
  })
  const decided = useDecidedRows()
  const rows = useMemo(
    () => (filters ? getRows(query.data, filters, decided, viewer) : []),
    [query.data, filters, decided, viewer],
  )
  return { ...query, rows }
}

function differsInText(before: ReviewFilters | undefined, now: ReviewFilters | null): boolean {
  if (!before || !now) return false
  return JSON.stringify({ ...before, q: undefined }) === JSON.stringify({ ...now, q: undefined })
}

function getRows(
  list: Pick<ReviewList, 'pages'> | undefined,
  filters: ReviewFilters,
  decided: ReadonlyMap<string, Response>,
  viewer: Viewer,
): ReviewRow[] {
  const rows = list?.pages.flatMap(page => page.items) ?? []
  if (decided.size === 0) return rows
  return rows.flatMap(row => {
    if (row.state !== 'pending' || !decided.has(row.reviewId)) return [row]
    const after = toDecidedRow(row, decided.get(row.reviewId) ?? null)
    return matchFilters(filters, after, viewer) === 'no' ? [] : [after]
  })
}

/** How long lists may take to include a decision that has arrived. */
const CONFIRM_TIMEOUT = 3_000

/** Decisions that are held, being sent, or arrived but possibly missing in the lists. */
function useDecidedRows(): ReadonlyMap<string, Response> {
  const client = useQueryClient()
  const pending: ReadonlyMap<string, PendingDecision> = usePendingDecisions()
  const [arrived, setArrived] = useState<ReadonlyMap<string, Response>>(new Map())

  const onArrival = useCallback(
    ({ reviewId, response }: Decision, review: Review | null) => {
      setArrived(before => new Map(before).set(reviewId, response))
      setTimeout(() => setArrived(before => withoutRows(before, reviewId)), CONFIRM_TIMEOUT)
      for (const [, list] of client.getQueriesData<ReviewList>({ queryKey: reviewListKeys.all })) {
        const row = list?.pages.flatMap(page => page.items).find(each => each.reviewId === reviewId)
        if (!row || !review) continue
        patchLists(client, [{ reviewId, row: toDecidedRow(row, response) }])
        break
      }
    },
    [client],
  )
  useOnDecisionArrived(onArrival)

  return useMemo(() => {
    const responses = new Map(arrived)
    for (const [reviewId, { response }] of pending) responses.set(reviewId, response)
    return responses
  }, [arrived, pending])
}

function withoutRows<T>(map: ReadonlyMap<string, T>, key: string): ReadonlyMap<string, T> {
  const copy = new Map(map)
  copy.delete(key)
  return copy
}

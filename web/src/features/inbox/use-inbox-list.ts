import { useMemo, useRef } from 'react'
import type { ReviewFilters } from '@/api/review-filters'
import { useInboxView } from './inbox-view'
import { findNeighbors, type Neighbors } from './neighbors'
import { getFilters, type InboxSearch } from './search-params'
import { useReviewRows } from './use-review-rows'

const NO_SEARCH: InboxSearch = {}

/** The list for the URL's search parameters, and the position of the open review in it. */
export function useInboxList(openId: string | undefined) {
  const { search: given, view, counts } = useInboxView()
  const search = given ?? NO_SEARCH
  const filters = useMemo(() => view && getFilters({ ...search, view }), [search, view])
  const query = useReviewRows(filters)
  const ids = useMemo(() => query.rows.map(row => row.reviewId), [query.rows])
  const neighbours = useNeighbors(ids, filters, openId)
  return { search, view, filters, counts, ids, neighbours, ...query }
}

export type InboxList = ReturnType<typeof useInboxList>

/** Remembers the position of the open review, for when it leaves the list. Another list starts without one. */
function useNeighbors(
  ids: readonly string[],
  list: ReviewFilters | null,
  openId: string | undefined,
): Neighbors | undefined {
  const last = useRef<{ list: ReviewFilters | null; id: string; index: number }>(undefined)
  return useMemo(() => {
    if (openId === undefined) return undefined
    const isKnown = last.current?.id === openId && last.current.list === list
    const found = findNeighbors(ids, openId, isKnown ? last.current?.index : undefined)
    if (found && ids[found.index] === openId) last.current = { list, id: openId, index: found.index }
    return found
  }, [ids, list, openId])
}

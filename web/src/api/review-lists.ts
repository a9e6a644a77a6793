/** A cached list of reviews, updated as single reviews change, without a refetch. */

import type { InfiniteData } from '@tanstack/react-query'
import { matchFilters, type ReviewFilters, type ReviewRow, type Viewer } from './review-filters'

export type ReviewPage = { items: ReviewRow[]; nextCursor?: string | null }
export type ReviewList = InfiniteData<ReviewPage, string | undefined>

/** A review as it is now; `row` is null if it was deleted. */
export type ReviewChange = { reviewId: string; row: ReviewRow | null }

export type PatchResult = {
  list: ReviewList
  /** Something may belong in the list, and only the service can tell. */
  isUncertain: boolean
}

/** Applies the changes to the list. Returns the same object if they don't affect it. */
export function patchList(
  list: ReviewList,
  filters: ReviewFilters,
  changes: readonly ReviewChange[],
  viewer: Viewer,
): PatchResult {
  let patched = list
  let unsure = false
  for (const { reviewId, row } of changes) {
    const at = findPageIndex(patched, reviewId)
    const known = at === -1 ? undefined : patched.pages[at]?.items.find(item => item.reviewId === reviewId)
    if (known && row && row.updatedAt < known.updatedAt) continue
    const belongs = row === null ? 'no' : matchFilters(filters, row, viewer)
    if (belongs === 'no' || row === null) {
      if (at !== -1)
        patched = withItems(patched, at, items => items.filter(item => item.reviewId !== reviewId))
    } else if (at !== -1) {
      patched = withItems(patched, at, items => items.map(item => (item.reviewId === reviewId ? row : item)))
    } else if (belongs === 'yes') {
      patched = withInserted(patched, row, filters.order === 'oldest')
    } else {
      unsure = true
    }
  }
  return { list: patched, isUncertain: unsure }
}

function findPageIndex(list: ReviewList, reviewId: string): number {
  return list.pages.findIndex(page => page.items.some(item => item.reviewId === reviewId))
}

function withItems(list: ReviewList, at: number, change: (items: ReviewRow[]) => ReviewRow[]): ReviewList {
  const pages = list.pages.map((page, index) =>
    index === at ? { ...page, items: change(page.items) } : page,
  )
  return { ...list, pages }
}

/** Lists are sorted by ID, and a page ends at its cursor. Rows beyond the last page come by paging. */
function withInserted(list: ReviewList, row: ReviewRow, oldestFirst: boolean): ReviewList {
  const isBefore = (a: string, b: string) => (oldestFirst ? a < b : a > b)
  const at = list.pages.findIndex(page => !page.nextCursor || isBefore(row.reviewId, page.nextCursor))
  if (at === -1) return list
  return withItems(list, at, items => {
    const place = items.findIndex(item => isBefore(row.reviewId, item.reviewId))
    return place === -1 ? [...items, row] : items.toSpliced(place, 0, row)
  })
}

/** The most pages to refetch: refetching a long list would take one request for each page. */
const MAX_REFETCHED_PAGES = 3

/** Only the first pages of a long list; scrolling loads the rest. */
export function getFirstPages(list: ReviewList): ReviewList {
  if (list.pages.length <= MAX_REFETCHED_PAGES) return list
  return {
    pages: list.pages.slice(0, MAX_REFETCHED_PAGES),
    pageParams: list.pageParams.slice(0, MAX_REFETCHED_PAGES),
  }
}

import { infiniteQueryOptions, type Query, type QueryClient, type QueryKey } from '@tanstack/react-query'
import { api, data, type Schemas } from './client'
import { matchFilters, type ReviewFilters, type ReviewRow, toDecidedRow, type Viewer } from './review-filters'
import { getFirstPages, type ListRules, type RowList, RowStore, readPage } from './row-store'
import { type Me, meKey } from './session'

export type { ReviewFilters, ReviewRow } from './review-filters'

const PAGE_SIZE = 100

/** Lists are sorted by ID, which starts with the time. */
const getReviewId = (row: ReviewRow): string => row.reviewId

/** The row of every review that a list has shown or the live stream has reported. */
export const reviewRows = new RowStore<ReviewRow>(getReviewId, row => row.updatedAt)

export const reviewListKeys = {
  all: ['reviews', 'list'] as const,
  list: (filters: ReviewFilters) => ['reviews', 'list', filters] as const,
}

/** A list of reviews, page by page. It's never refetched automatically: live updates keep it current. */
export const reviewListQuery = (filters: ReviewFilters) =>
  infiniteQueryOptions({
    queryKey: reviewListKeys.list(filters),
    queryFn: ({ pageParam, signal }) =>
      readPage(reviewRows, getReviewId, () =>
        data(
          api.GET('/reviews', {
            params: { query: { ...filters, cursor: pageParam, limit: PAGE_SIZE } },
            signal,
          }),
        ),
      ),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: page => page.nextCursor,
    staleTime: Number.POSITIVE_INFINITY,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  })

/** The first few reviews that match the search, in any state. */
export const findReviews = async (words: string, signal?: AbortSignal): Promise<ReviewRow[]> =>
  (await data(api.GET('/reviews', { params: { query: { q: words, limit: 8 } }, signal }))).items

export const getViewer = (me: Me): Viewer => ({
  userId: me.user.userId,
  groupIds: [
    ...me.groups.map(group => group.groupId),
    ...me.standingInFor.flatMap(person => person.groupIds),
  ],
  absentIds: me.standingInFor.map(person => person.userId),
})

const MAX_REFETCHED_PAGES = 3

/** How to select the rows of a list. */
export const getListRules = (filters: ReviewFilters, viewer: Viewer): ListRules<ReviewRow> => ({
  match: row => matchFilters(filters, row, viewer),
  getPosition: getReviewId,
  isAscending: filters.order === 'oldest',
})

/** Refetches lists: visible ones immediately, others when they are shown. Only the first pages of a long list. */
export function refetchLists(client: QueryClient) {
  client.setQueriesData<RowList>(
    { queryKey: reviewListKeys.all },
    list => list && getFirstPages(list, MAX_REFETCHED_PAGES),
  )
  return client.invalidateQueries({ queryKey: reviewListKeys.all })
}

/** Stores the row of a review that the member has decided, before the live stream reports it. */
export function storeDecision(
  reviewId: string,
  response: 'approved' | 'rejected' | null,
  decided: Schemas['Review'],
): void {
  const row = reviewRows.get(reviewId)
  if (!row) return
  const updatedAt = decided.reviewResult?.respondedAt ?? row.updatedAt
  reviewRows.addChanges([{ ...toDecidedRow(row, response), updatedAt }])
}

/** The searches in which one of these changed reviews may be missing: only the service can tell. */
export function findOutdatedSearches(client: QueryClient, rows: readonly ReviewRow[]): QueryKey[] {
  const me = client.getQueryData<Me>(meKey)
  if (!me) return []
  const viewer = getViewer(me)
  const isOutdated = ({ queryKey, state }: Query) => {
    const listed = new Set((state.data as RowList | undefined)?.pages.flatMap(page => page.ids))
    const { match } = getListRules(queryKey[2] as ReviewFilters, viewer)
    return rows.some(row => !listed.has(row.reviewId) && match(row) === 'unknown')
  }
  return client
    .getQueryCache()
    .findAll({ queryKey: reviewListKeys.all, predicate: isOutdated })
    .map(({ queryKey }) => queryKey)
}

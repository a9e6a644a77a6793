import { infiniteQueryOptions, type QueryClient, type QueryKey } from '@tanstack/react-query'
import { api, data, type Schemas } from './client'
import type { ReviewFilters, ReviewRow, Viewer } from './review-filters'
import { getFirstPages, patchList, type ReviewChange, type ReviewList } from './review-lists'
import { type Me, meKey } from './session'

export type { ReviewFilters, ReviewRow } from './review-filters'

const PAGE_SIZE = 100

export const reviewListKeys = {
  all: ['reviews', 'list'] as const,
  list: (filters: ReviewFilters) => ['reviews', 'list', filters] as const,
}

/** A list of reviews, page by page. It's never refetched automatically: live updates keep it current. */
export const reviewListQuery = (filters: ReviewFilters) =>
  infiniteQueryOptions({
    queryKey: reviewListKeys.list(filters),
    queryFn: ({ pageParam, signal }) =>
      data(
        api.GET('/reviews', {
          params: { query: { ...filters, cursor: pageParam, limit: PAGE_SIZE } },
          signal,
        }),
      ),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: page => page.nextCursor ?? undefined,
    staleTime: Number.POSITIVE_INFINITY,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  })

/** The first few reviews that match the search, in any state. */
export const findReviews = async (words: string, signal?: AbortSignal): Promise<ReviewRow[]> =>
  (await data(api.GET('/reviews', { params: { query: { q: words, limit: 8 } }, signal }))).items

export type ReviewResponse = Schemas['Submission']

/** Approves or rejects a review with the agent's suggested values. */
export const respondToReview = (reviewId: string, decision: ReviewResponse): Promise<Schemas['Review']> =>
  data(api.POST('/reviews/{reviewId}/response', { params: { path: { reviewId } }, body: decision }))

export const getViewer = (me: Me): Viewer => ({
  userId: me.user.userId,
  groupIds: [
    ...me.groups.map(group => group.groupId),
    ...me.standingInFor.flatMap(person => person.groupIds),
  ],
  absentIds: me.standingInFor.map(person => person.userId),
})

/** Applies changes to every cached list. Returns the keys of lists that only the service can update. */
export function patchLists(client: QueryClient, changes: readonly ReviewChange[]): QueryKey[] {
  const me = client.getQueryData<Me>(meKey)
  const outdatedKeys: QueryKey[] = []
  if (!me || changes.length === 0) return outdatedKeys
  const viewer = getViewer(me)
  for (const query of client.getQueryCache().findAll({ queryKey: reviewListKeys.all })) {
    const list = query.state.data as ReviewList | undefined
    if (!list) continue
    const filters = query.queryKey[2] as ReviewFilters
    const patched = patchList(list, filters, changes, viewer)
    if (patched.list !== list) client.setQueryData(query.queryKey, patched.list)
    if (patched.isUncertain) outdatedKeys.push(query.queryKey)
  }
  return outdatedKeys
}

/** Refetches lists: visible ones immediately, others when they are shown. */
export function refetchLists(client: QueryClient) {
  client.setQueriesData<ReviewList>({ queryKey: reviewListKeys.all }, list => list && getFirstPages(list))
  return client.invalidateQueries({ queryKey: reviewListKeys.all })
}

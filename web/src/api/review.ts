import { CancelledError, type QueryClient, queryOptions } from '@tanstack/react-query'
import createClient, { type Client } from 'openapi-fetch'
import { API, ApiError, api, data, isStatus, type Schemas, throwApiErrors } from './client'
import { localizeInPageLanguage } from './forms/localize'
import type { paths } from './schema'

export type Review = Schemas['Review']
export type ReviewFormVersion = Schemas['ReviewForm']
export type Suggested = Schemas['Suggested']
export type SavedDraft = Schemas['SavedDraft']
export type DraftBody = Schemas['DraftBody']
export type Revision = Schemas['Revision']
export type HistoryEntry = Schemas['HistoryEntry']
export type Outcome = 'approved' | 'rejected'

/** How reviews are read and decided: as a signed-in member, or with an external link to one review. */
export type Access = {
  client: Client<paths>
  headers: Readonly<Record<string, string>>
}

export const memberAccess: Access = { client: api, headers: {} }

/** For people without an account. The token goes into a header, never into a URL. */
export function externalAccess(token: string): Access {
  const headers = { 'x-review-token': token }
  const client = createClient<paths>({ baseUrl: API, credentials: 'omit', headers })
  client.use(throwApiErrors)
  return { client, headers }
}

/** Mails an external reviewer a new link in place of an expired one. */
export const renewLink = ({ client }: Access, reviewId: string) =>
  data(client.POST('/reviews/{reviewId}/link/renew', { params: { path: { reviewId } } }))

/** Every key under `all` is about one review and may change with it. */
export const reviewKeys = {
  root: ['review'] as const,
  all: (reviewId: string) => ['review', reviewId] as const,
  review: (reviewId: string) => ['review', reviewId, 'review'] as const,
  suggestion: (reviewId: string, revision: number) => ['review', reviewId, 'suggestion', revision] as const,
  revisions: (reviewId: string) => ['review', reviewId, 'revisions'] as const,
  history: (reviewId: string) => ['review', reviewId, 'history'] as const,
  deliveries: (reviewId: string) => ['review', reviewId, 'deliveries'] as const,
  /** Separate from the others: it belongs to one member and is fetched only when the review is opened. */
  draft: (reviewId: string) => ['draft', reviewId] as const,
  /** A version of a review type never changes. */
  form: (formId: string, version: number) => ['form-version', formId, version] as const,
}

export type ReviewQueries = ReturnType<typeof createReviewQueries>

export function createReviewQueries({ client }: Access) {
  const at = (reviewId: string) => ({ params: { path: { reviewId } } })
  return {
    review: (reviewId: string) =>
      queryOptions({
        queryKey: reviewKeys.review(reviewId),
        queryFn: ({ signal }) => data(client.GET('/reviews/{reviewId}', { ...at(reviewId), signal })),
      }),
    form: (review: Pick<Review, 'reviewId' | 'formId' | 'formVersion'>) =>
      queryOptions({
        queryKey: reviewKeys.form(review.formId, review.formVersion),
        queryFn: ({ signal }) =>
          data(client.GET('/reviews/{reviewId}/form', { ...at(review.reviewId), signal })),
        select: localizeInPageLanguage,
        staleTime: 'static',
        gcTime: Number.POSITIVE_INFINITY,
      }),
    /** The response says which revision it belongs to; that one counts. */
    suggestion: (reviewId: string, revision: number) =>
      queryOptions({
        queryKey: reviewKeys.suggestion(reviewId, revision),
        queryFn: async ({ signal, client: cache }) => {
          const suggested = await data(
            client.GET('/reviews/{reviewId}/suggestion', { ...at(reviewId), signal }),
          )
          // The content was replaced after the review was fetched: cache the response under its own revision and
          // refetch the review.
          if (suggested.revision !== revision) {
            cache.setQueryData(reviewKeys.suggestion(reviewId, suggested.revision), suggested)
            void cache.invalidateQueries({ queryKey: reviewKeys.review(reviewId) })
          }
          return suggested
        },
        // The suggestion of a revision never changes.
        staleTime: 'static',
      }),
    draft: (reviewId: string) =>
      queryOptions({
        queryKey: reviewKeys.draft(reviewId),
        queryFn: async ({ signal }): Promise<SavedDraft | null> =>
          (await data(client.GET('/reviews/{reviewId}/draft', { ...at(reviewId), signal }))).draft,
        staleTime: 30_000,
        refetchOnWindowFocus: false,
      }),
    revisions: (reviewId: string) =>
      queryOptions({
        queryKey: reviewKeys.revisions(reviewId),
        queryFn: async ({ signal }) =>
          (await data(client.GET('/reviews/{reviewId}/revisions', { ...at(reviewId), signal }))).items,
      }),
    history: (reviewId: string) =>
      queryOptions({
        queryKey: reviewKeys.history(reviewId),
        queryFn: async ({ signal }) =>
          (await data(client.GET('/reviews/{reviewId}/history', { ...at(reviewId), signal }))).items,
      }),
  }
}

export const reviewQueries = createReviewQueries(memberAccess)

/** Prefetches everything that opening the review needs. Never throws. */
export async function prefetchReview(client: QueryClient, reviewId: string): Promise<void> {
  try {
    const review = await client.ensureQueryData(reviewQueries.review(reviewId))
    await Promise.all([
      client.prefetchQuery(reviewQueries.form(review)),
      client.prefetchQuery(reviewQueries.suggestion(reviewId, review.revision)),
      isDecidable(review) && client.prefetchQuery(reviewQueries.draft(reviewId)),
    ])
  } catch (error) {
    // Opening the review will show the error; or another reader of the same query canceled it.
    if (!(error instanceof ApiError || error instanceof CancelledError)) throw error
  }
}

/** Refetches everything about a review that may have changed. */
export const refetchReview = (client: QueryClient, reviewId: string): Promise<void> =>
  client.invalidateQueries({ queryKey: reviewKeys.all(reviewId) })

/** Whether the reader can decide the review now. */
export const isDecidable = (review: Review): boolean =>
  review.state === 'pending' && review.mayDecide === true

/** The ways in which a request can end early or outlive its page. */
export type RequestOptions = { signal?: AbortSignal; keepalive?: boolean }

export const saveDraft = async (
  access: Access,
  reviewId: string,
  draft: DraftBody,
  options: RequestOptions,
): Promise<SavedDraft | null> =>
  (
    await data(
      access.client.PUT('/reviews/{reviewId}/draft', {
        params: { path: { reviewId } },
        body: draft,
        ...options,
      }),
    )
  ).draft

export async function deleteDraft(access: Access, reviewId: string, options: RequestOptions): Promise<void> {
  await access.client.DELETE('/reviews/{reviewId}/draft', { params: { path: { reviewId } }, ...options })
}

/** Requests changes from the agent. */
export const requestRetry = (
  access: Access,
  reviewId: string,
  request: { instructions: string; fieldIds?: string[]; revision: number },
): Promise<Review> =>
  data(access.client.POST('/reviews/{reviewId}/retry', { params: { path: { reviewId } }, body: request }))

/** Cancels a request for changes. */
export const cancelRetry = (access: Access, reviewId: string): Promise<Review> =>
  data(access.client.DELETE('/reviews/{reviewId}/retry', { params: { path: { reviewId } } }))

/** Reminds the agent of the requested changes. */
export const remindAgent = (access: Access, reviewId: string): Promise<Review> =>
  data(access.client.POST('/reviews/{reviewId}/retry/remind', { params: { path: { reviewId } } }))

/** Retries copying a file. */
export const retryMedia = (reviewId: string, url: string): Promise<Review> =>
  data(api.POST('/reviews/{reviewId}/media/retry', { params: { path: { reviewId } }, body: { url } }))

/** Extends the review's deadline. */
export const extendReview = (reviewId: string, extension: Schemas['Extension']): Promise<Review> =>
  data(api.POST('/reviews/{reviewId}/extend', { params: { path: { reviewId } }, body: extension }))

export async function deleteReview(reviewId: string): Promise<void> {
  await api.DELETE('/reviews/{reviewId}', { params: { path: { reviewId } } })
}

/** Reports that the member has the review open; returns everyone who has. A deleted review has nobody. */
export async function enterReview(reviewId: string) {
  try {
    return (await data(api.PUT('/reviews/{reviewId}/presence', { params: { path: { reviewId } } }))).people
  } catch (error) {
    if (isStatus(error, 404)) return []
    throw error
  }
}

export async function leaveReview(reviewId: string): Promise<void> {
  await api.DELETE('/reviews/{reviewId}/presence', { params: { path: { reviewId } }, keepalive: true })
}

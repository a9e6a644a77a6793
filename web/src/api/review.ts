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

/** Through which door reviews are read and decided: as a member who has signed in, or with the link to a single one. */
export type Access = {
  client: Client<paths>
  headers: Readonly<Record<string, string>>
}

export const memberAccess: Access = { client: api, headers: {} }

/** For people without an account. The token goes into a header, never into an address. */
export function externalAccess(token: string): Access {
  const headers = { 'x-review-token': token }
  const client = createClient<paths>({ baseUrl: API, credentials: 'omit', headers })
  client.use(throwApiErrors)
  return { client, headers }
}

/** Mails an external reviewer a new link in place of an expired one. */
export const renewLink = ({ client }: Access, reviewId: string) =>
  data(client.POST('/reviews/{reviewId}/link/renew', { params: { path: { reviewId } } }))

/** Everything under `all` is about one review, and may change when it does. */
export const reviewKeys = {
  root: ['review'] as const,
  all: (reviewId: string) => ['review', reviewId] as const,
  review: (reviewId: string) => ['review', reviewId, 'review'] as const,
  suggestion: (reviewId: string, revision: number) => ['review', reviewId, 'suggestion', revision] as const,
  revisions: (reviewId: string) => ['review', reviewId, 'revisions'] as const,
  history: (reviewId: string) => ['review', reviewId, 'history'] as const,
  deliveries: (reviewId: string) => ['review', reviewId, 'deliveries'] as const,
  /** Apart from the others: it is one's own, and read only when the review is opened. */
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
    /** Which revision it is of says the answer; that one counts. */
    suggestion: (reviewId: string, revision: number) =>
      queryOptions({
        queryKey: reviewKeys.suggestion(reviewId, revision),
        queryFn: async ({ signal, client: cache }) => {
          const suggested = await data(
            client.GET('/reviews/{reviewId}/suggestion', { ...at(reviewId), signal }),
          )
          // The content was replaced since the review was read: it is filed as what it is, and the review read again.
          if (suggested.revision !== revision) {
            cache.setQueryData(reviewKeys.suggestion(reviewId, suggested.revision), suggested)
            void cache.invalidateQueries({ queryKey: reviewKeys.review(reviewId) })
          }
          return suggested
        },
        // What an agent suggested in one revision stays.
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

/** Reads everything that opening the review needs, so that opening it waits for nothing. Never fails. */
export async function prefetchReview(client: QueryClient, reviewId: string): Promise<void> {
  try {
    const review = await client.ensureQueryData(reviewQueries.review(reviewId))
    await Promise.all([
      client.prefetchQuery(reviewQueries.form(review)),
      client.prefetchQuery(reviewQueries.suggestion(reviewId, review.revision)),
      isDecidable(review) && client.prefetchQuery(reviewQueries.draft(reviewId)),
    ])
  } catch (error) {
    // Opening it will say so; or somebody who read it at the same time does not want it any more.
    if (!(error instanceof ApiError || error instanceof CancelledError)) throw error
  }
}

/** Has everything about a review read anew that may have changed. */
export const refetchReview = (client: QueryClient, reviewId: string): Promise<void> =>
  client.invalidateQueries({ queryKey: reviewKeys.all(reviewId) })

/** Whether it is for the person who reads it to decide, now. */
export const isDecidable = (review: Review): boolean =>
  review.state === 'pending' && review.mayDecide === true

/** Browsers refuse longer bodies for requests that outlive their page. */
export const MAX_KEEPALIVE_BYTES = 60_000

/** `closing`: the page is about to go, so the request has to outlive it. */
export type DraftRequest = { closing: boolean; signal: AbortSignal }

/** Keeps what was typed. */
export async function saveDraft(
  access: Access,
  reviewId: string,
  draft: DraftBody,
  { closing, signal }: DraftRequest,
) {
  const keepalive = closing && JSON.stringify(draft).length < MAX_KEEPALIVE_BYTES
  const answer = await data(
    access.client.PUT('/reviews/{reviewId}/draft', {
      params: { path: { reviewId } },
      body: draft,
      keepalive,
      signal,
    }),
  )
  return answer.draft
}

export async function deleteDraft(
  access: Access,
  reviewId: string,
  { closing, signal }: DraftRequest,
): Promise<void> {
  await access.client.DELETE('/reviews/{reviewId}/draft', {
    params: { path: { reviewId } },
    keepalive: closing,
    signal,
  })
}

/** Asks the agent for other content. */
export const requestRetry = (
  access: Access,
  reviewId: string,
  request: { instructions: string; fieldIds?: string[]; revision: number },
): Promise<Review> =>
  data(access.client.POST('/reviews/{reviewId}/retry', { params: { path: { reviewId } }, body: request }))

/** Takes back what `requestRetry` asked for. */
export const cancelRetry = (access: Access, reviewId: string): Promise<Review> =>
  data(access.client.DELETE('/reviews/{reviewId}/retry', { params: { path: { reviewId } } }))

/** Asks the agent again for what it was asked for. */
export const remindAgent = (access: Access, reviewId: string): Promise<Review> =>
  data(access.client.POST('/reviews/{reviewId}/retry/remind', { params: { path: { reviewId } } }))

/** Has a file copied again that couldn't be copied. */
export const retryMedia = (reviewId: string, url: string): Promise<Review> =>
  data(api.POST('/reviews/{reviewId}/media/retry', { params: { path: { reviewId } }, body: { url } }))

/** Puts off what happens to the review by itself. */
export const extendReview = (reviewId: string, extension: Schemas['Extension']): Promise<Review> =>
  data(api.POST('/reviews/{reviewId}/extend', { params: { path: { reviewId } }, body: extension }))

export async function deleteReview(reviewId: string): Promise<void> {
  await api.DELETE('/reviews/{reviewId}', { params: { path: { reviewId } } })
}

/** Says that one has the review open; answers who has. Gone reviews have nobody. */
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

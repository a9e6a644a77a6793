/** Assignment: changing reviewers, taking a review, out of office. */

import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { api, data, type Schemas } from './client'
import { type Review, refetchReview, reviewKeys } from './review'
import { meKey } from './session'

export type Assignment = Schemas['Assignment']
export type ExternalLink = Schemas['ExternalLink']
export type NewAbsence = Schemas['NewAbsence']
export type Absence = Schemas['Absence']

const pathParams = (reviewId: string) => ({ params: { path: { reviewId } } })

/** Replaces the reviewers. The response has the links of new external reviewers; they are returned only this once. */
export function useAssign(reviewId: string) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (assignment: Assignment) =>
      data(api.PUT('/reviews/{reviewId}/assignees', { ...pathParams(reviewId), body: assignment })),
    onSuccess: ({ extReviewerLinks: _, ...review }) =>
      client.setQueryData<Review>(reviewKeys.review(reviewId), review),
    onSettled: () => refetchReview(client, reviewId),
    // Links are secrets: the cache drops them when their page closes.
    gcTime: 0,
  })
}

/** Takes a review, or hands it back. */
export function useSelfAssignment(reviewId: string) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (action: 'take' | 'handBack') =>
      action === 'take'
        ? data(api.POST('/reviews/{reviewId}/take', pathParams(reviewId)))
        : data(api.POST('/reviews/{reviewId}/handBack', pathParams(reviewId))),
    onSuccess: review => client.setQueryData(reviewKeys.review(reviewId), review),
    onSettled: () => refetchReview(client, reviewId),
  })
}

const absenceKey = [...meKey, 'absence'] as const

export const absenceQuery = queryOptions({
  queryKey: absenceKey,
  queryFn: ({ signal }) => data(api.GET('/auth/me/absence', { signal })),
})

/** Sets the member's out-of-office period; null turns it off. */
export function useUpdateAbsence() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: async (absence: NewAbsence | null) => {
      if (absence !== null) return data(api.PUT('/auth/me/absence', { body: absence }))
      await api.DELETE('/auth/me/absence')
      return { from: null, until: null, delegate: null }
    },
    onSuccess: absence => {
      client.setQueryData(absenceKey, absence)
      client.invalidateQueries({ queryKey: ['users'] })
    },
  })
}

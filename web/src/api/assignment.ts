/** Who is asked: changing it, taking a review, being away. */

import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { api, data, type Schemas } from './client'
import { type Review, refetchReview, reviewKeys } from './review'
import { meKey } from './session'

export type Assignment = Schemas['Assignment']
export type ExternalLink = Schemas['ExternalLink']
export type NewAbsence = Schemas['NewAbsence']
export type Absence = Schemas['Absence']

const pathParams = (reviewId: string) => ({ params: { path: { reviewId } } })

/** Replaces who is asked. The answer has the links of external reviewers who are new, this once. */
export function useAssign(reviewId: string) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (assignment: Assignment) =>
      data(api.PUT('/reviews/{reviewId}/assignees', { ...pathParams(reviewId), body: assignment })),
    onSuccess: ({ extReviewerLinks: _, ...review }) =>
      client.setQueryData<Review>(reviewKeys.review(reviewId), review),
    onSettled: () => refetchReview(client, reviewId),
    // Links are secrets: nothing keeps them once their page is closed.
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

/** Sets when one is away; null: one is not. */
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

import { useQuery } from '@tanstack/react-query'
import { reviewQueries } from '@/api/review'

/** A review and its version of the review type. Undefined until both are loaded. */
export function useReviewForm(reviewId: string) {
  const { data: review, error } = useQuery(reviewQueries.review(reviewId))
  const form = useQuery({
    ...reviewQueries.form(review ?? { reviewId, formId: '', formVersion: 0 }),
    enabled: review !== undefined,
  }).data
  return { review, form, error }
}

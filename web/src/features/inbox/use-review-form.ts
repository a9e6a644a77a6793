import { useQuery } from '@tanstack/react-query'
import { reviewQueries } from '@/api/review'

/** A review and the version of its review type that it has. Undefined until they are loaded. */
export function useReviewForm(reviewId: string) {
  const { data: review, error } = useQuery(reviewQueries.review(reviewId))
  const form = useQuery({
    ...reviewQueries.form(review ?? { reviewId, formId: '', formVersion: 0 }),
    enabled: review !== undefined,
  }).data
  return { review, form, error }
}

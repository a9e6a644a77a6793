import { t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import { isStatus } from '@/api/client'
import { reviewQueries } from '@/api/review'
import { ErrorState } from '@/components/status'
import { memberEdits } from '@/features/review/edit-store'
import { PaneSkeleton, ReviewDeleted, ReviewMissing } from '@/features/review/pane-states'
import { useHeartbeat } from '@/features/review/presence'
import { ReviewBody } from '@/features/review/review-body'

const stay = () => undefined

/** A review inside a chat: read, edited, and decided there, without leaving the chat. */
export function ChatReview({ reviewId, onClose }: { reviewId: string; onClose: () => void }) {
  const review = useQuery(reviewQueries.review(reviewId))
  useHeartbeat(reviewId)
  if (isStatus(review.error, 404))
    return review.data ? (
      <ReviewDeleted edit={memberEdits.edit(reviewId)} onClose={onClose} />
    ) : (
      <ReviewMissing onClose={onClose} />
    )
  if (review.data) return <ReviewBody review={review.data} onDecided={stay} />
  return review.error ? (
    <ErrorState title={t`Couldn't load the review`} error={review.error} onRetry={() => review.refetch()} />
  ) : (
    <PaneSkeleton />
  )
}

import { BellRing, Check, Hourglass, Timer, X, Zap } from 'lucide-react'
import type { Review } from '@/api/review'
import { Badge } from '@/components/status'

/** Where the review stands, in a word. */
export function StateBadge({ review }: { review: Review }) {
  if (review.state === 'pending')
    return review.retryRequested ? (
      <Badge tone="warn">
        <Hourglass size={11} aria-hidden="true" /> Waiting for the agent
      </Badge>
    ) : (
      <>
        <Badge>Pending</Badge>
        {review.remindedAt && (
          <Badge tone="warn">
            <BellRing size={11} aria-hidden="true" /> Reminded
          </Badge>
        )}
      </>
    )
  const response = review.reviewResult?.response
  return (
    <>
      {response === 'approved' && (
        <Badge tone="good">
          <Check size={12} aria-hidden="true" /> Approved
        </Badge>
      )}
      {response === 'rejected' && (
        <Badge tone="bad">
          <X size={12} aria-hidden="true" /> Rejected
        </Badge>
      )}
      {!response && <Badge tone="accent">Submitted</Badge>}
      {review.autoApproved && (
        <Badge>
          <Zap size={11} aria-hidden="true" /> Automatic
        </Badge>
      )}
      {review.timedOut && (
        <Badge>
          <Timer size={11} aria-hidden="true" /> Timed out
        </Badge>
      )}
    </>
  )
}

import { Check, Hourglass, Timer, X, Zap } from 'lucide-react'
import type { ReviewRow } from '@/api/review-filters'
import { Badge } from '@/components/status'

/** What became of a review. One that is simply open has no badge: most in the list are. */
export function StateBadge({ row }: { row: ReviewRow }) {
  if (row.state === 'pending') {
    if (!row.retryRequested) return null
    return (
      <Badge tone="warn">
        <Hourglass size={11} aria-hidden="true" />
        Waiting
      </Badge>
    )
  }
  if (row.autoApproved) {
    return (
      <Badge tone="plain">
        <Zap size={11} aria-hidden="true" />
        Auto
      </Badge>
    )
  }
  if (row.response === undefined) return <Badge tone="plain">Submitted</Badge>
  const isApproved = row.response === 'approved'
  return (
    <Badge tone={isApproved ? 'good' : 'bad'}>
      {row.timedOut ? (
        <>
          <Timer size={11} aria-hidden="true" />
          <span className="sr-only">Timed out: </span>
        </>
      ) : isApproved ? (
        <Check size={11} aria-hidden="true" />
      ) : (
        <X size={11} aria-hidden="true" />
      )}
      {isApproved ? 'Approved' : 'Rejected'}
    </Badge>
  )
}

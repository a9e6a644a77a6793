import { t } from '@lingui/core/macro'
import { BellRing, Check, Hourglass, Timer, X, Zap } from 'lucide-react'
import type { Review } from '@/api/review'
import { Badge } from '@/components/status'

/** Where the review stands, in a word. */
export function StateBadge({ review }: { review: Review }) {
  if (review.state === 'pending')
    return review.retryRequested ? (
      <Badge tone="warn">
        <Hourglass size={11} aria-hidden="true" /> {t`Waiting on agent`}
      </Badge>
    ) : (
      <>
        <Badge>{t`Pending`}</Badge>
        {review.remindedAt && (
          <Badge tone="warn">
            <BellRing size={11} aria-hidden="true" /> {t`Reminder sent`}
          </Badge>
        )}
      </>
    )
  const response = review.reviewResult?.response
  return (
    <>
      {response === 'approved' && (
        <Badge tone="good">
          <Check size={12} aria-hidden="true" /> {t`Approved`}
        </Badge>
      )}
      {response === 'rejected' && (
        <Badge tone="bad">
          <X size={12} aria-hidden="true" /> {t`Rejected`}
        </Badge>
      )}
      {!response && <Badge tone="accent">{t`Submitted`}</Badge>}
      {review.autoApproved && (
        <Badge>
          <Zap size={11} aria-hidden="true" /> {t`Automatic`}
        </Badge>
      )}
      {review.timedOut && (
        <Badge>
          <Timer size={11} aria-hidden="true" /> {t`Deadline passed`}
        </Badge>
      )}
    </>
  )
}

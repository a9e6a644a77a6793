import { t } from '@lingui/core/macro'
import { BellRing, Check, Hourglass, Timer, X, Zap } from 'lucide-react'
import type { Review } from '@/api/review'
import { Badge } from '@/components/status'

/** The review's status. One badge says both the outcome and whether it was automatic. */
export function StateBadge({ review }: { review: Review }) {
  if (review.state === 'pending')
    return review.retryRequested ? (
      <Badge tone="warn">
        <Hourglass /> {t`Waiting on agent`}
      </Badge>
    ) : (
      <>
        <Badge>{t`Pending`}</Badge>
        {review.remindedAt && (
          <Badge tone="warn">
            <BellRing /> {t`Reminder sent`}
          </Badge>
        )}
      </>
    )
  const response = review.reviewResult?.response
  if (!response) return <Badge tone="accent">{t`Submitted`}</Badge>
  const tone = response === 'approved' ? 'good' : 'bad'
  if (review.timedOut)
    return (
      <Badge tone={tone}>
        <Timer />
        <span title={t`Deadline passed`}>
          {response === 'approved' ? t`Auto-approved` : t`Auto-rejected`}
        </span>
      </Badge>
    )
  if (review.autoApproved)
    return (
      <Badge tone={tone}>
        <Zap /> {t`Auto-approved`}
      </Badge>
    )
  return response === 'approved' ? (
    <Badge tone={tone}>
      <Check /> {t`Approved`}
    </Badge>
  ) : (
    <Badge tone={tone}>
      <X /> {t`Rejected`}
    </Badge>
  )
}

import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Check, Hourglass, Timer, X, Zap } from 'lucide-react'
import type { ReviewRow } from '@/api/review-filters'
import { Badge } from '@/components/status'

/** The outcome of a review. A pending one has no badge: most in the list are. */
export function StateBadge({ row }: { row: ReviewRow }) {
  if (row.state === 'pending') {
    if (!row.retryRequested) return null
    return (
      <Badge tone="warn">
        <Hourglass />
        {t`Waiting on agent`}
      </Badge>
    )
  }
  if (row.autoApproved) {
    return (
      <Badge tone="plain">
        <Zap />
        {t`Auto-approved`}
      </Badge>
    )
  }
  if (row.response === undefined) return <Badge tone="plain">{t`Submitted`}</Badge>
  const isApproved = row.response === 'approved'
  if (row.timedOut) {
    return (
      <Badge tone={isApproved ? 'good' : 'bad'}>
        <Timer />
        <span title={t`Deadline passed`}>
          {isApproved ? (
            <Trans>
              Auto-approved<span className="sr-only">, deadline passed</span>
            </Trans>
          ) : (
            <Trans>
              Auto-rejected<span className="sr-only">, deadline passed</span>
            </Trans>
          )}
        </span>
      </Badge>
    )
  }
  return (
    <Badge tone={isApproved ? 'good' : 'bad'}>
      {isApproved ? <Check /> : <X />}
      {isApproved ? t`Approved` : t`Rejected`}
    </Badge>
  )
}

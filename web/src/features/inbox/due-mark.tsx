import { t } from '@lingui/core/macro'
import { BellRing, Timer } from 'lucide-react'
import type { ReviewRow } from '@/api/review-filters'
import { Countdown } from '@/components/countdown'
import { formatDateTime } from '@/lib/time'

/** A review's next deadline, and whether its reviewers were reminded. Most rows have neither. */
export function DueMark({ row }: { row: ReviewRow }) {
  if (row.state !== 'pending' || (!row.dueAt && !row.remindedAt)) return null
  return (
    <span className="flex shrink-0 items-center gap-1.5 text-xs">
      {row.remindedAt && (
        <span title={t`Reminder sent ${{ date: formatDateTime(row.remindedAt) }}`} className="text-warn">
          <BellRing className="icon-small" />
          <span className="sr-only">{t`Reminder sent.`} </span>
        </span>
      )}
      {row.dueAt && row.dueAction && (
        <span className="flex items-center gap-0.5">
          <Timer className="icon-tiny" />
          <Countdown at={row.dueAt} action={row.dueAction} short />
        </span>
      )}
    </span>
  )
}

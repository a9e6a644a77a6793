import { t } from '@lingui/core/macro'
import { Palmtree } from 'lucide-react'
import { formatDateTime } from '@/lib/time'
import { Badge } from './status'

/** Shown next to a member's name if they are out of office now or soon. */
export function OutOfOfficeBadge({
  absence,
}: {
  absence: { from: string; until: string; delegate: string } | null | undefined
}) {
  if (!absence) return null
  const isNow = new Date(absence.from) <= new Date()
  const words = isNow
    ? t`Out of office until ${{ date: formatDateTime(absence.until) }}`
    : t`Out of office starting ${{ date: formatDateTime(absence.from) }}`
  return (
    <Badge tone="warn">
      <Palmtree />
      <span title={t`Delegate: ${{ delegate: absence.delegate }}`}>{words}</span>
    </Badge>
  )
}

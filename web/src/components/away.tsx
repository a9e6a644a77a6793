import { Palmtree } from 'lucide-react'
import { moment } from '@/lib/time'
import { Badge } from './status'

/** Said beside somebody's name: that they are away now, or soon will be. Nothing for those who are there. */
export function Away({
  absence,
}: {
  absence: { from: string; until: string; delegate: string } | null | undefined
}) {
  if (!absence) return null
  const isNow = new Date(absence.from) <= new Date()
  const words = isNow ? `Away until ${moment(absence.until)}` : `Away from ${moment(absence.from)}`
  return (
    <Badge tone="warn">
      <Palmtree size={12} aria-hidden="true" />
      <span title={`${absence.delegate} stands in`}>{words}</span>
    </Badge>
  )
}

/** What a deadline does to a review that isn't decided in time. */

import { t } from '@lingui/core/macro'
import { formatDateTime } from './time'
import { formatTimeLeft } from './time-left'

export type DueAction = 'remind' | 'handOver' | 'reject' | 'approve'

/** `Auto-rejects in 2h 10m`, and a text for after that time. */
export function formatDueIn(action: DueAction, milliseconds: number): string {
  const duration = formatTimeLeft(milliseconds)
  const isNow = milliseconds <= 0
  switch (action) {
    case 'remind':
      return isNow ? t`Reminder due now` : t`Reminder in ${duration}`
    case 'handOver':
      return isNow ? t`Escalating now` : t`Escalates in ${duration}`
    case 'reject':
      return isNow ? t`Auto-rejecting now` : t`Auto-rejects in ${duration}`
    case 'approve':
      return isNow ? t`Auto-approving now` : t`Auto-approves in ${duration}`
  }
}

/** `Auto-rejects Nov 18, 2026, 4:00 PM`. */
export function formatDueOn(action: DueAction, at: string | number): string {
  const date = formatDateTime(at)
  switch (action) {
    case 'remind':
      return t`Next reminder: ${date}`
    case 'handOver':
      return t`Escalates ${date}`
    case 'reject':
      return t`Auto-rejects ${date}`
    case 'approve':
      return t`Auto-approves ${date}`
  }
}

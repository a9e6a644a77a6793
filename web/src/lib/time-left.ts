/** The time left until something happens, in a text that changes no more often than necessary. */

import { t } from '@lingui/core/macro'
import { formatUnit, formatUnits } from './i18n'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

/** `3d 4h`, `2h 10m`, `45m`, or that it's less than a minute. Rounded down. */
export function formatTimeLeft(milliseconds: number): string {
  if (milliseconds < MINUTE) return t`less than a minute`
  if (milliseconds < HOUR) return formatUnit(Math.floor(milliseconds / MINUTE), 'minute')
  const [size, large, part, small] =
    milliseconds < DAY ? ([HOUR, 'hour', MINUTE, 'minute'] as const) : ([DAY, 'day', HOUR, 'hour'] as const)
  const whole = Math.floor(milliseconds / size)
  const rest = Math.floor((milliseconds % size) / part)
  return rest > 0 ? formatUnits([whole, large], [rest, small]) : formatUnit(whole, large)
}

/** The same for a narrow column: `3d`, `2h`, `45m`, `now`. */
export function formatShortTimeLeft(milliseconds: number): string {
  if (milliseconds < MINUTE) return t`now`
  if (milliseconds < HOUR) return formatUnit(Math.floor(milliseconds / MINUTE), 'minute')
  if (milliseconds < DAY) return formatUnit(Math.floor(milliseconds / HOUR), 'hour')
  return formatUnit(Math.floor(milliseconds / DAY), 'day')
}

export type Urgency = 'far' | 'near' | 'urgent'

export function getUrgency(milliseconds: number): Urgency {
  if (milliseconds <= 15 * MINUTE) return 'urgent'
  return milliseconds <= HOUR ? 'near' : 'far'
}

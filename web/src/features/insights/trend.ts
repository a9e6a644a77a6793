/** Compares a figure with the one of the previous period. */

import { plural, t } from '@lingui/core/macro'
import { formatNumber } from '@/lib/i18n'
import { formatDuration, toPercentText } from './format'

export type Change = {
  direction: 'up' | 'down' | 'same'
  text: string
  /** Only if more is clearly better or worse. */
  tone: 'plain' | 'good' | 'bad'
}

const NO_CHANGE = (): Change => ({ direction: 'same', tone: 'plain', text: t`No change` })

/** Null: there's no earlier data. A rise from zero has no percentage. */
export function compareCounts(now: number, before: number): Change | null {
  if (before === 0) return null
  const ratio = now / before
  if (Math.abs(ratio - 1) < 0.005) return NO_CHANGE()
  if (ratio >= 3) {
    const times = formatNumber(ratio, { maximumFractionDigits: ratio < 10 ? 1 : 0 })
    return { direction: 'up', text: t`${times}× as many`, tone: 'plain' }
  }
  const difference = toPercentText(Math.abs(ratio - 1))
  return ratio > 1
    ? { direction: 'up', text: t`${{ percent: difference }} more`, tone: 'plain' }
    : { direction: 'down', text: t`${{ percent: difference }} fewer`, tone: 'plain' }
}

/** Rates are compared in percentage points: a rise from 1% to 2% is one point, not a doubling. */
export function compareRates(now: number | null, before: number | null): Change | null {
  if (now === null || before === null) return null
  const points = Math.round((now - before) * 100)
  if (points === 0) return NO_CHANGE()
  const size = Math.abs(points)
  return points > 0
    ? {
        direction: 'up',
        text: plural(size, { one: 'Up # percentage point', other: 'Up # percentage points' }),
        tone: 'plain',
      }
    : {
        direction: 'down',
        text: plural(size, { one: 'Down # percentage point', other: 'Down # percentage points' }),
        tone: 'plain',
      }
}

export function compareTimes(now: number | null, before: number | null): Change | null {
  if (now === null || before === null) return null
  const difference = now - before
  if (Math.abs(difference) < 1 || Math.abs(difference) / Math.max(now, before) < 0.02) return NO_CHANGE()
  return difference < 0
    ? { direction: 'down', text: t`${{ duration: formatDuration(-difference) }} faster`, tone: 'good' }
    : { direction: 'up', text: t`${{ duration: formatDuration(difference) }} slower`, tone: 'bad' }
}

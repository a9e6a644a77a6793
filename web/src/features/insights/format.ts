/** Formats numbers for people. */

import { formatNumber, formatPercent, formatUnit } from '@/lib/i18n'
import { formatSpan } from '@/lib/time'

export const formatCount = (number: number): string => formatNumber(number)

/** A ratio between 0 and 1; null if the whole is zero. */
export const formatShare = (part: number, whole: number): number | null => (whole > 0 ? part / whole : null)

/** Never shows 0% or 100% for a rate that isn't exactly that. */
export function toPercentText(rate: number): string {
  if (rate > 0 && rate < 0.01) return `<${formatPercent(0.01)}`
  if (rate > 0.999 && rate < 1) return `>${formatPercent(0.999, 1)}`
  if (rate >= 0.99 && rate < 1)
    return formatNumber(Math.floor(rate * 1000) / 1000, { style: 'percent', minimumFractionDigits: 1 })
  return formatPercent(rate)
}

export const formatPercentOf = (part: number, whole: number): string => {
  const rate = formatShare(part, whole)
  return rate === null ? '–' : toPercentText(rate)
}

/** Less than a second is the machine's time, not a person's. */
export const formatDuration = (seconds: number): string =>
  seconds > 0 && seconds < 1 ? `<${formatUnit(1, 'second')}` : formatSpan(seconds)

export const formatOptionalDuration = (seconds: number | null): string =>
  seconds === null ? '–' : formatDuration(seconds)

export const formatMilliseconds = (ms: number): string =>
  ms < 1000
    ? formatNumber(Math.round(ms), { style: 'unit', unit: 'millisecond', unitDisplay: 'narrow' })
    : formatDuration(ms / 1000)

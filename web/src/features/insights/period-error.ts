import { plural, t } from '@lingui/core/macro'
import { isDay } from './calendar'
import { isPeriod, MAX_DAYS } from './search-params'

/** The error in a period; null if it's valid. Separate from the search params, which every page loads. */
export function getPeriodError(from: string, to: string): string | null {
  if (isPeriod(from, to)) return null
  if (!isDay(from) || !isDay(to)) return t`Choose a start and end date.`
  if (from > to) return t`The start date can't be after the end date.`
  return t`Choose a range of up to ${plural(MAX_DAYS, { one: '# day', other: '# days' })}.`
}

/** Dates and moments of fields as people read them, in the page's language. */

import { intl } from '@/lib/i18n'
import { formatDateTime } from '@/lib/time'
import { isDate, momentOf } from './shapes/moments'

/** A calendar date in words; the text itself where it is no date. */
export function formatDate(text: string, dateStyle: 'full' | 'long' | 'medium' = 'full'): string {
  if (!isDate(text)) return text
  return intl(Intl.DateTimeFormat, { dateStyle, timeZone: 'UTC' }).format(new Date(`${text}T00:00:00Z`))
}

/** A moment by the clocks of the person who reads it; the text itself where it is none. */
export function formatLocalTime(text: string): string {
  const read = momentOf(text)
  return read === null ? text : formatDateTime(read.milliseconds)
}

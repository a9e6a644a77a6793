/** Formats the dates and times of fields in the page's language. */

import { intl } from '@/lib/i18n'
import { formatDateTime } from '@/lib/time'
import { isDate, toDateTime } from './value-types/date-times'

/** A formatted date; the text itself if it isn't a date. */
export function formatDate(text: string, dateStyle: 'full' | 'long' | 'medium' = 'full'): string {
  if (!isDate(text)) return text
  return intl(Intl.DateTimeFormat, { dateStyle, timeZone: 'UTC' }).format(new Date(`${text}T00:00:00Z`))
}

/** A time in the reader's time zone; the text itself if it isn't a time. */
export function formatLocalTime(text: string): string {
  const read = toDateTime(text)
  return read === null ? text : formatDateTime(read.milliseconds)
}

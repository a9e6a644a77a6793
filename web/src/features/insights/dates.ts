/** Days and hours in a time zone, and how the page's language writes them. */

import { intl } from '@/lib/i18n'
import { toNoon } from './calendar'

const HOUR = 3_600_000
const DAY = 24 * HOUR

/** Dates and times in the page's language. */
export const format = (zone: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat =>
  intl(Intl.DateTimeFormat, { ...options, timeZone: zone })

const readers = new Map<string, Intl.DateTimeFormat>()

/** The parts of a time in a time zone. They are compared, not shown, so their locale is fixed. */
function formatPart(zone: string, at: Date, type: 'year' | 'month' | 'day' | 'hour'): string {
  const reader =
    readers.get(zone) ??
    new Intl.DateTimeFormat('en-GB', {
      year: 'numeric',
      month: '2-digit',
      day: '2-digit',
      hour: '2-digit',
      hourCycle: 'h23',
      timeZone: zone,
    })
  readers.set(zone, reader)
  return reader.formatToParts(at).find(part => part.type === type)?.value ?? ''
}

/** The date in a time zone. */
export const getDay = (zone: string, at: Date): string =>
  `${formatPart(zone, at, 'year')}-${formatPart(zone, at, 'month')}-${formatPart(zone, at, 'day')}`

/** The hour in a time zone, from 0 to 23. */
export const getHour = (zone: string, at: Date): number => Number(formatPart(zone, at, 'hour'))

/** Sunday is 0. */
export const getWeekday = (day: string): number => toNoon(day).getUTCDay()

/** A day, or the days from the first to the last. */
export const formatDays = (first: string, last: string, options: Intl.DateTimeFormatOptions): string =>
  format('UTC', options).formatRange(toNoon(first), toNoon(last))

/** `Nov 3 – 9`, with the year only if it isn't this one. */
export function formatPeriod(first: string, last: string, today: string): string {
  const isThisYear = [first, last].every(day => day.slice(0, 4) === today.slice(0, 4))
  return formatDays(first, last, {
    day: 'numeric',
    month: 'short',
    year: isThisYear ? undefined : 'numeric',
  })
}

/** A Monday, for the names of weekdays and hours. */
const MONDAY = Date.UTC(2026, 10, 16)

/** The name of a weekday; Monday is 0. */
export const formatWeekday = (weekday: number, length: 'long' | 'short'): string =>
  format('UTC', { weekday: length }).format(MONDAY + weekday * DAY)

/** How the page's language writes full hours: `2 PM`, but `14:00` and not only `14`. */
export function getHourOptions(): Intl.DateTimeFormatOptions {
  const { hour12 } = format('UTC', { hour: 'numeric' }).resolvedOptions()
  return hour12 ? { hour: 'numeric' } : { hour: '2-digit', minute: '2-digit' }
}

/** From 0 to 23, and 24 for midnight at the end. */
export const formatHour = (hour: number): string =>
  format('UTC', getHourOptions()).format(MONDAY + hour * HOUR)

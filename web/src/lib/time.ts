import { t } from '@lingui/core/macro'
import { formatUnit, intl } from './i18n'

const MINUTE = 60
const HOUR = 3_600
const DAY = 86_400

/** Weeks, not months: the letter for months is the same as for minutes. */
const AGES = [
  ['year', 365 * DAY],
  ['week', 7 * DAY],
  ['day', DAY],
  ['hour', HOUR],
  ['minute', MINUTE],
] as const

/** How long ago, short enough for a narrow column: `3d`, `5h`, `now`. */
export function formatAge(from: string | Date, to: Date = new Date()): string {
  const seconds = Math.max(0, (to.getTime() - new Date(from).getTime()) / 1000)
  for (const [unit, size] of AGES) if (seconds >= size) return formatUnit(Math.floor(seconds / size), unit)
  return t`now`
}

const DISTANCES = [
  ['year', 365 * DAY],
  ['month', 30 * DAY],
  ['day', DAY],
  ['hour', HOUR],
  ['minute', MINUTE],
] as const

export function formatTimeAgo(from: string | Date, to: Date = new Date()): string {
  const relative = intl(Intl.RelativeTimeFormat, { numeric: 'auto' })
  const seconds = (new Date(from).getTime() - to.getTime()) / 1000
  for (const [unit, size] of DISTANCES) {
    if (Math.abs(seconds) >= size) return relative.format(Math.trunc(seconds / size), unit)
  }
  return Math.abs(seconds) < 5 ? t`just now` : relative.format(Math.round(seconds), 'second')
}

/** The time zone in which times are shown and typed: its name, or undefined for the device's. */
let timeZone: string | undefined

/** Sets the member's choice. With null, or a zone that this browser doesn't know, it's the device's. */
export function setTimeZone(zone: string | null): void {
  timeZone = zone !== null && isKnown(zone) ? zone : undefined
}

function isKnown(zone: string): boolean {
  try {
    return Boolean(new Intl.DateTimeFormat('en', { timeZone: zone }))
  } catch (error) {
    if (error instanceof RangeError) return false
    throw error
  }
}

export const formatDateTime = (at: string | number | Date): string =>
  intl(Intl.DateTimeFormat, { dateStyle: 'medium', timeStyle: 'short', timeZone }).format(new Date(at))

/** Days and times in the format of native inputs: `2026-11-15`, which is also the Swedish format. */
const createSortableFormat = (options: Intl.DateTimeFormatOptions) =>
  new Intl.DateTimeFormat('sv-SE', { dateStyle: 'short', ...options, timeZone })

/** The day in the member's time zone, as `2026-11-15`. */
export const toLocalDay = (at: string | number | Date): string =>
  createSortableFormat({}).format(new Date(at))

/** `Today`, `Yesterday`, or the date with its weekday. */
export function formatDay(at: string | number | Date, now: Date = new Date()): string {
  const day = toLocalDay(at)
  if (day === toLocalDay(now)) return t`Today`
  if (day === toLocalDay(now.getTime() - 86_400_000)) return t`Yesterday`
  return intl(Intl.DateTimeFormat, {
    weekday: 'long',
    day: 'numeric',
    month: 'long',
    ...(day.slice(0, 4) !== toLocalDay(now).slice(0, 4) && { year: 'numeric' }),
    timeZone,
  }).format(new Date(at))
}

/** The time of day in the member's time zone: `14:05`. */
export const formatTimeOfDay = (at: string | number | Date): string =>
  intl(Intl.DateTimeFormat, { timeStyle: 'short', timeZone }).format(new Date(at))

/** The UTC offset of a local time (`2026-11-15T09:30`) in the member's time zone, as `+01:00`. */
export function getUtcOffset(wall: string): string {
  const asIfUtc = new Date(`${wall}Z`).getTime()
  if (Number.isNaN(asIfUtc)) return 'Z'
  // The offset depends on the time, and the time on the offset: near a clock change, the second calculation is right.
  const first = offsetMinutes(new Date(asIfUtc))
  const minutes = offsetMinutes(new Date(asIfUtc - first * 60_000))
  const size = Math.abs(minutes)
  const padTwo = (number: number) => String(number).padStart(2, '0')
  return `${minutes < 0 ? '-' : '+'}${padTwo(Math.floor(size / 60))}:${padTwo(size % 60)}`
}

/** The local time in the member's time zone, as a native input takes it: `2026-11-15T09:30`. */
export const toLocalInput = (at: string | Date): string =>
  createSortableFormat({ timeStyle: 'short' }).format(new Date(at)).replace(' ', 'T')

function offsetMinutes(at: Date): number {
  if (timeZone === undefined) return -at.getTimezoneOffset()
  const parts = new Intl.DateTimeFormat('en', { timeZone, timeZoneName: 'longOffset' }).formatToParts(at)
  const name = parts.find(part => part.type === 'timeZoneName')?.value ?? ''
  const [, sign, hours, minutes] = /^GMT([+-])(\d{2}):(\d{2})/.exec(name) ?? []
  return (sign === '-' ? -1 : 1) * (Number(hours ?? 0) * 60 + Number(minutes ?? 0))
}

/** A duration, short enough for a key figure: `45s`, `12m`, `3.5h`, `2d`. */
export function formatSpan(seconds: number): string {
  if (seconds < 90) return formatUnit(Math.round(seconds), 'second')
  if (seconds < 90 * MINUTE) return formatUnit(Math.round(seconds / MINUTE), 'minute')
  if (seconds < 2 * DAY) return formatUnit(seconds / HOUR, 'hour', seconds < 10 * HOUR ? 1 : 0)
  return formatUnit(seconds / DAY, 'day', seconds < 10 * DAY ? 1 : 0)
}

import { t } from '@lingui/core/macro'
import { formatUnit, intl } from './i18n'

const MINUTE = 60
const HOUR = 3_600
const DAY = 86_400

/** Weeks, not months: their letter would be the same as the one for minutes. */
const AGES = [
  ['year', 365 * DAY],
  ['week', 7 * DAY],
  ['day', DAY],
  ['hour', HOUR],
  ['minute', MINUTE],
] as const

/** How long ago, in as few letters as a narrow column has room for: `3d`, `5h`, `now`. */
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

/** The time zone that moments are written and typed in: its name, or undefined for this device's. */
let timeZone: string | undefined

/** The person's choice. With null, or one that this browser doesn't know, it's the device's. */
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

/** Days and times as machines and native inputs have them: `2026-11-15`, which is also the Swedish way. */
const machine = (options: Intl.DateTimeFormatOptions) =>
  new Intl.DateTimeFormat('sv-SE', { dateStyle: 'short', ...options, timeZone })

/** The day by the person's clocks, as `2026-11-15`. */
export const toLocalDay = (at: string | number | Date): string => machine({}).format(new Date(at))

/** `Today`, `Yesterday`, or the day with its name. */
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

/** The time of day by the person's clocks: `14:05`. */
export const formatTimeOfDay = (at: string | number | Date): string =>
  intl(Intl.DateTimeFormat, { timeStyle: 'short', timeZone }).format(new Date(at))

/** The offset from UTC that the person's clocks have when they show this time (`2026-11-15T09:30`), as `+01:00`. */
export function getUtcOffset(wall: string): string {
  const asIfUtc = new Date(`${wall}Z`).getTime()
  if (Number.isNaN(asIfUtc)) return 'Z'
  // The offset depends on the moment, and the moment on the offset: near a change of clocks the second look is right.
  const first = offsetMinutes(new Date(asIfUtc))
  const minutes = offsetMinutes(new Date(asIfUtc - first * 60_000))
  const size = Math.abs(minutes)
  const two = (number: number) => String(number).padStart(2, '0')
  return `${minutes < 0 ? '-' : '+'}${two(Math.floor(size / 60))}:${two(size % 60)}`
}

/** What the person's clocks show at a moment, as a native input takes it: `2026-11-15T09:30`. */
export const toLocalInput = (at: string | Date): string =>
  machine({ timeStyle: 'short' }).format(new Date(at)).replace(' ', 'T')

function offsetMinutes(at: Date): number {
  if (timeZone === undefined) return -at.getTimezoneOffset()
  const parts = new Intl.DateTimeFormat('en', { timeZone, timeZoneName: 'longOffset' }).formatToParts(at)
  const name = parts.find(part => part.type === 'timeZoneName')?.value ?? ''
  const [, sign, hours, minutes] = /^GMT([+-])(\d{2}):(\d{2})/.exec(name) ?? []
  return (sign === '-' ? -1 : 1) * (Number(hours ?? 0) * 60 + Number(minutes ?? 0))
}

/** A length of time, short enough for a figure: `45s`, `12m`, `3.5h`, `2d`. */
export function formatSpan(seconds: number): string {
  if (seconds < 90) return formatUnit(Math.round(seconds), 'second')
  if (seconds < 90 * MINUTE) return formatUnit(Math.round(seconds / MINUTE), 'minute')
  if (seconds < 2 * DAY) return formatUnit(seconds / HOUR, 'hour', seconds < 10 * HOUR ? 1 : 0)
  return formatUnit(seconds / DAY, 'day', seconds < 10 * DAY ? 1 : 0)
}

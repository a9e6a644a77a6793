const UNITS: [Intl.RelativeTimeFormatUnit, number][] = [
  ['year', 31_536_000],
  ['month', 2_592_000],
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
]

/** How long ago, in as few letters as a narrow column has room for: `3d`, `5h`, `now`. */
export function age(from: string | Date, to: Date = new Date()): string {
  const seconds = Math.max(0, (to.getTime() - new Date(from).getTime()) / 1000)
  for (const [unit, size] of UNITS) {
    if (seconds >= size) return `${Math.floor(seconds / size)}${unit === 'month' ? 'mo' : unit[0]}`
  }
  return 'now'
}

const relative = new Intl.RelativeTimeFormat('en', { numeric: 'auto' })

export function ago(from: string | Date, to: Date = new Date()): string {
  const seconds = (new Date(from).getTime() - to.getTime()) / 1000
  for (const [unit, size] of UNITS) {
    if (Math.abs(seconds) >= size) return relative.format(Math.trunc(seconds / size), unit)
  }
  return Math.abs(seconds) < 5 ? 'just now' : relative.format(Math.round(seconds), 'second')
}

/** By whose clocks moments are written and typed: a time zone's name, or undefined for this device's. */
let timeZone: string | undefined
let full = writer(undefined)
let days = dayWriter(undefined)

/** Writes days so that they sort as text: the Swedish way. */
function dayWriter(zone: string | undefined): Intl.DateTimeFormat {
  return new Intl.DateTimeFormat('sv', { dateStyle: 'short', timeZone: zone })
}

function writer(zone: string | undefined): Intl.DateTimeFormat {
  return new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short', timeZone: zone })
}

/** The person's choice; null, or one that this browser does not know: the device's. */
export function setTimeZone(zone: string | null): void {
  const wanted = zone ?? undefined
  if (wanted === timeZone) return
  try {
    full = writer(wanted)
    days = dayWriter(wanted)
    timeZone = wanted
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
    full = writer(undefined)
    days = dayWriter(undefined)
    timeZone = undefined
  }
}

export const moment = (at: string | number | Date): string => full.format(new Date(at))

/** The day by the person's clocks, as `2026-11-15`. */
export const dayOf = (at: string | number | Date): string => days.format(new Date(at))

/** `Today`, `Yesterday`, or the day with its name. */
export function dayInWords(at: string | number | Date, now: Date = new Date()): string {
  const day = dayOf(at)
  if (day === dayOf(now)) return 'Today'
  if (day === dayOf(now.getTime() - 86_400_000)) return 'Yesterday'
  return new Intl.DateTimeFormat(undefined, {
    weekday: 'long',
    day: 'numeric',
    month: 'long',
    ...(day.slice(0, 4) !== dayOf(now).slice(0, 4) && { year: 'numeric' }),
    timeZone,
  }).format(new Date(at))
}

/** The time of day by the person's clocks: `14:05`. */
export const timeOfDay = (at: string | number | Date): string =>
  new Intl.DateTimeFormat(undefined, { timeStyle: 'short', timeZone }).format(new Date(at))

/** The offset from UTC that the person's clocks have when they show this time (`2026-11-15T09:30`), as `+01:00`. */
export function offsetAt(wall: string): string {
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
export const wallAt = (at: string | Date): string =>
  new Intl.DateTimeFormat('sv-SE', { dateStyle: 'short', timeStyle: 'short', timeZone })
    .format(new Date(at))
    .replace(' ', 'T')

function offsetMinutes(at: Date): number {
  if (timeZone === undefined) return -at.getTimezoneOffset()
  const parts = new Intl.DateTimeFormat('en', { timeZone, timeZoneName: 'longOffset' }).formatToParts(at)
  const name = parts.find(part => part.type === 'timeZoneName')?.value ?? ''
  const [, sign, hours, minutes] = /^GMT([+-])(\d{2}):(\d{2})/.exec(name) ?? []
  return (sign === '-' ? -1 : 1) * (Number(hours ?? 0) * 60 + Number(minutes ?? 0))
}

/** A span in words short enough for a figure: `45 s`, `12 min`, `3.5 h`, `2 d`. */
export function span(seconds: number): string {
  if (seconds < 90) return `${Math.round(seconds)} s`
  if (seconds < 5_400) return `${Math.round(seconds / 60)} min`
  if (seconds < 172_800) return `${(seconds / 3_600).toFixed(seconds < 36_000 ? 1 : 0)} h`
  return `${(seconds / 86_400).toFixed(seconds < 864_000 ? 1 : 0)} d`
}

/** Days as `2026-11-15`, in a person's time zone. A day has no clock, so adding to one never meets a clock change. */

const DAY = 86_400_000
const SPELLED = /^\d{4}-\d{2}-\d{2}$/

const formats = new Map<string, Intl.DateTimeFormat>()

/** Formats are expensive to make, and a page asks for the same few hundreds of times. */
export function format(zone: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const name = zone + JSON.stringify(options)
  const made =
    formats.get(name) ?? new Intl.DateTimeFormat('en-GB', { ...options, timeZone: zone, hourCycle: 'h23' })
  formats.set(name, made)
  return made
}

/** Which day it is somewhere. */
export function dayIn(zone: string, at: Date): string {
  const parts = format(zone, { year: 'numeric', month: '2-digit', day: '2-digit' }).formatToParts(at)
  const part = (type: string) => parts.find(each => each.type === type)?.value ?? ''
  return `${part('year')}-${part('month')}-${part('day')}`
}

const noon = (day: string) => new Date(`${day}T12:00:00Z`)

export function isDay(text: unknown): text is string {
  return typeof text === 'string' && SPELLED.test(text) && noon(text).toJSON()?.slice(0, 10) === text
}

export const addDays = (day: string, days: number): string =>
  new Date(noon(day).getTime() + days * DAY).toISOString().slice(0, 10)

/** How many days a period has; its first and its last both count. */
export const daysFrom = (first: string, last: string): number =>
  Math.round((noon(last).getTime() - noon(first).getTime()) / DAY) + 1

/** `3 Nov`, and the year only where it is not this one's. */
export function dayName(day: string, today: string): string {
  const year = day.slice(0, 4) === today.slice(0, 4) ? undefined : ('numeric' as const)
  return format('UTC', { day: 'numeric', month: 'short', year }).format(noon(day))
}

export const periodName = (first: string, last: string, today: string): string =>
  first === last ? dayName(first, today) : `${dayName(first, today)} – ${dayName(last, today)}`

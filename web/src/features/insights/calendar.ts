/** Days as `2026-11-15`. A day has no clock, so adding to one never meets a clock change. */

const DAY = 86_400_000
const SPELLED = /^\d{4}-\d{2}-\d{2}$/

export const noon = (day: string) => new Date(`${day}T12:00:00Z`)

export function isDay(text: unknown): text is string {
  return typeof text === 'string' && SPELLED.test(text) && noon(text).toJSON()?.slice(0, 10) === text
}

export const addDays = (day: string, days: number): string =>
  new Date(noon(day).getTime() + days * DAY).toISOString().slice(0, 10)

/** How many days a period has; its first and its last both count. */
export const daysFrom = (first: string, last: string): number =>
  Math.round((noon(last).getTime() - noon(first).getTime()) / DAY) + 1

/** Days such as `2026-11-15`. A day has no time, so adding days is safe across clock changes. */

const DAY = 86_400_000
const DAY_FORMAT = /^\d{4}-\d{2}-\d{2}$/

export const toNoon = (day: string) => new Date(`${day}T12:00:00Z`)

export function isDay(text: unknown): text is string {
  return typeof text === 'string' && DAY_FORMAT.test(text) && toNoon(text).toJSON()?.slice(0, 10) === text
}

export const addDays = (day: string, days: number): string =>
  new Date(toNoon(day).getTime() + days * DAY).toISOString().slice(0, 10)

/** The number of days in a period, including its first and last. */
export const countDays = (first: string, last: string): number =>
  Math.round((toNoon(last).getTime() - toNoon(first).getTime()) / DAY) + 1

/** The filters of the page, as query parameters, so that it can be shared, bookmarked and gone back to. */

import { addDays, countDays, isDay } from './calendar'

export const RANGES = [7, 30, 90] as const
export const DEFAULT_RANGE = 30
export const MAX_DAYS = 366

export type Range = (typeof RANGES)[number]

export type InsightsSearch = {
  /** The number of past days; 30 by default. */
  days?: Range
  /** A custom period; both or neither. */
  from?: string
  to?: string
  agent?: string
  form?: string
}

export type Period = { from: string; to: string; days: number }

const text = (value: unknown): string | undefined => {
  if (typeof value === 'number') return String(value)
  return typeof value === 'string' && value ? value.slice(0, 128) : undefined
}

export const isPeriod = (from: string, to: string): boolean =>
  isDay(from) && isDay(to) && from <= to && countDays(from, to) <= MAX_DAYS

/** Reads a URL from any source: unknown or malformed parameters are dropped. */
export function readInsightsSearch(raw: Record<string, unknown>): InsightsSearch {
  const [from, to] = [text(raw.from), text(raw.to)]
  const custom = from !== undefined && to !== undefined && isPeriod(from, to)
  const days = RANGES.find(range => range === Number(raw.days) && range !== DEFAULT_RANGE)
  const search: InsightsSearch = {
    ...(custom ? { from, to } : { days }),
    agent: text(raw.agent),
    form: text(raw.form),
  }
  return Object.fromEntries(Object.entries(search).filter(([, value]) => value !== undefined))
}

export function getPeriod({ days, from, to }: InsightsSearch, today: string): Period {
  if (from !== undefined && to !== undefined) return { from, to, days: countDays(from, to) }
  const length = days ?? DEFAULT_RANGE
  return { from: addDays(today, 1 - length), to: today, days: length }
}

/** Numbers as people read them. */

import { span } from '@/lib/time'

const grouped = new Intl.NumberFormat('en')

export const count = (number: number): string => grouped.format(number)

export const counted = (number: number, one: string, many = `${one}s`): string =>
  `${count(number)} ${number === 1 ? one : many}`

/** A part of a whole between 0 and 1; null where there is no whole. */
export const share = (part: number, whole: number): number | null => (whole > 0 ? part / whole : null)

/** Never says 0% of what happened, nor 100% of what failed once. */
export function percent(rate: number): string {
  if (rate > 0 && rate < 0.01) return '<1%'
  if (rate > 0.999 && rate < 1) return '>99.9%'
  if (rate >= 0.99 && rate < 1) return `${(Math.floor(rate * 1000) / 10).toFixed(1)}%`
  return `${Math.round(rate * 100)}%`
}

export const percentOf = (part: number, whole: number): string => {
  const rate = share(part, whole)
  return rate === null ? '–' : percent(rate)
}

/** Under a second it is the machine's time, not a person's. */
export const duration = (seconds: number): string => (seconds > 0 && seconds < 1 ? '<1 s' : span(seconds))

export const durationOrNone = (seconds: number | null): string => (seconds === null ? '–' : duration(seconds))

export const milliseconds = (ms: number): string => (ms < 1000 ? `${Math.round(ms)} ms` : duration(ms / 1000))

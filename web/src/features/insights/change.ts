/** How a figure compares with the one of the period before. */

import { duration, percent } from './words'

export type Change = {
  direction: 'up' | 'down' | 'same'
  text: string
  /** Only where more is plainly better or worse. */
  tone: 'plain' | 'good' | 'bad'
}

const SAME = { direction: 'same', tone: 'plain', text: 'as before' } as const

/** Null: there is nothing to compare with. A rise from nothing has no percentage. */
export function changeOfCount(now: number, before: number): Change | null {
  if (before === 0) return null
  const ratio = now / before
  if (Math.abs(ratio - 1) < 0.005) return SAME
  const direction = ratio > 1 ? 'up' : 'down'
  const text = ratio >= 3 ? `${ratio.toFixed(ratio < 10 ? 1 : 0)} times` : percent(Math.abs(ratio - 1))
  return {
    direction,
    text: ratio >= 3 ? `${text} as many` : `${text} ${direction === 'up' ? 'more' : 'fewer'}`,
    tone: 'plain',
  }
}

/** Rates are compared in points: a rise from 1% to 2% is one point, not a doubling. */
export function changeOfRate(now: number | null, before: number | null): Change | null {
  if (now === null || before === null) return null
  const points = Math.round((now - before) * 100)
  if (points === 0) return SAME
  const direction = points > 0 ? 'up' : 'down'
  const size = Math.abs(points)
  return { direction, text: `${size} ${size === 1 ? 'point' : 'points'} ${direction}`, tone: 'plain' }
}

export function changeOfTime(now: number | null, before: number | null): Change | null {
  if (now === null || before === null) return null
  const difference = now - before
  if (Math.abs(difference) < 1 || Math.abs(difference) / Math.max(now, before) < 0.02) return SAME
  return difference < 0
    ? { direction: 'down', text: `${duration(-difference)} faster`, tone: 'good' }
    : { direction: 'up', text: `${duration(difference)} slower`, tone: 'bad' }
}

import { describe, expect, it } from 'vitest'
import { formatShortTimeLeft, formatTimeLeft, getUrgency } from './time-left'

const seconds = (count: number) => count * 1000

describe('time left', () => {
  it.each([
    [-5, 'less than a minute', 'now'],
    [0, 'less than a minute', 'now'],
    [59, 'less than a minute', 'now'],
    [60, '1m', '1m'],
    [3_599, '59m', '59m'],
    [3_600, '1h', '1h'],
    [7_800, '2h 10m', '2h'],
    [7_859, '2h 10m', '2h'],
    [86_399, '23h 59m', '23h'],
    [86_400, '1d', '1d'],
    [86_400 * 3 + 4 * 3_600 + 59 * 60, '3d 4h', '3d'],
  ])('%d seconds', (count, long, short) => {
    expect(formatTimeLeft(seconds(count))).toBe(long)
    expect(formatShortTimeLeft(seconds(count))).toBe(short)
  })

  it.each([
    [-1, 'urgent'],
    [900, 'urgent'],
    [901, 'near'],
    [3_600, 'near'],
    [3_601, 'far'],
  ])('after %d seconds is %s', (count, word) => {
    expect(getUrgency(seconds(count))).toBe(word)
  })
})

import { describe, expect, it } from 'vitest'
import { shortTimeLeft, timeLeft, urgency } from './time-left'

const seconds = (count: number) => count * 1000

describe('time left', () => {
  it.each([
    [-5, 'any moment', 'now'],
    [0, 'any moment', 'now'],
    [59, 'less than a minute', 'now'],
    [60, '1 min', '1m'],
    [3_599, '59 min', '59m'],
    [3_600, '1 h', '1h'],
    [7_800, '2 h 10 min', '2h'],
    [7_859, '2 h 10 min', '2h'],
    [86_399, '23 h 59 min', '23h'],
    [86_400, '1 d', '1d'],
    [86_400 * 3 + 4 * 3_600 + 59 * 60, '3 d 4 h', '3d'],
  ])('%d seconds', (count, long, short) => {
    expect(timeLeft(seconds(count))).toBe(long)
    expect(shortTimeLeft(seconds(count))).toBe(short)
  })

  it.each([
    [-1, 'urgent'],
    [900, 'urgent'],
    [901, 'near'],
    [3_600, 'near'],
    [3_601, 'far'],
  ])('after %d seconds is %s', (count, word) => {
    expect(urgency(seconds(count))).toBe(word)
  })
})

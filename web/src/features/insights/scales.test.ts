import { describe, expect, it } from 'vitest'
import { buildBins, sum } from './bins'
import { countScale, durationScale } from './scales'

describe('countScale', () => {
  it.each([0, 1, 2, 3, 7, 48, 999, 1_000_001])(
    'up to %d begins at zero, holds it, and has no halves',
    most => {
      const { place, ticks } = countScale(most)
      expect(place(0)).toBe(0)
      expect(place(most)).toBeLessThanOrEqual(1)
      expect(ticks[0]?.value).toBe(0)
      expect(ticks.every(tick => Number.isInteger(tick.value))).toBe(true)
      expect(ticks.length).toBeGreaterThan(1)
      expect(ticks.length).toBeLessThan(8)
      expect(new Set(ticks.map(tick => tick.label)).size).toBe(ticks.length)
    },
  )
})

describe('durationScale', () => {
  it.each([[[0.2]], [[1]], [[59, 61]], [[300, 90_000]], [[86_400 * 20_000]]])('holds %j', seconds => {
    const { place, ticks } = durationScale(seconds)
    for (const each of seconds) {
      expect(place(each)).toBeGreaterThanOrEqual(0)
      expect(place(each)).toBeLessThanOrEqual(1)
    }
    expect(ticks.length).toBeGreaterThan(1)
  })

  it('names its ends as people do', () => {
    expect(durationScale([320, 9_000]).ticks.map(tick => tick.label)).toEqual(['5m', '15m', '1h', '4h'])
  })
})

describe('buildBins', () => {
  it.each([
    [0, 0],
    [1, 1],
    [7, 7],
    [24, 12],
    [30, 10],
    [53, 9],
    [72, 12],
    [90, 13],
    [1_000, 13],
  ])('of %d steps are %d', (length, number) => {
    const made = buildBins(length)
    expect(made).toHaveLength(number)
    expect(sum(made.map(({ from, to }) => to - from))).toBe(length)
  })

  it('have the newest full', () => {
    expect(buildBins(15)).toEqual([
      { from: 0, to: 1 },
      ...Array.from({ length: 7 }, (_, place) => ({ from: 1 + place * 2, to: 3 + place * 2 })),
    ])
  })
})

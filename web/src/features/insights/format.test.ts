import { describe, expect, it } from 'vitest'
import { formatCount, formatDuration, formatMilliseconds, formatPercentOf, toPercentText } from './format'
import { compareCounts, compareRates, compareTimes } from './trend'

describe('toPercentText', () => {
  it.each([
    [0, '0%'],
    [0.0001, '<1%'],
    [0.01, '1%'],
    [0.456, '46%'],
    [0.9899, '99%'],
    [0.996, '99.6%'],
    [0.9989, '99.8%'],
    [0.99999, '>99.9%'],
    [1, '100%'],
  ])('%d is %s', (rate, text) => expect(toPercentText(rate)).toBe(text))

  it('of nothing is unknown', () => expect(formatPercentOf(0, 0)).toBe('–'))
})

it('writes numbers as people read them', () => {
  expect(formatCount(1_234_567)).toBe('1,234,567')
  expect([formatDuration(0.2), formatDuration(0), formatDuration(600)]).toEqual(['<1s', '0s', '10m'])
  expect([formatMilliseconds(132.6), formatMilliseconds(2_400)]).toEqual(['133ms', '2s'])
})

describe('a change', () => {
  it.each([
    [10, 0, null],
    [0, 10, '100% fewer'],
    [100, 100, 'No change'],
    [110, 100, '10% more'],
    [45, 10, '4.5× as many'],
    [2_000, 10, '200× as many'],
  ])('from %d to %d', (now, before, text) => {
    expect(compareCounts(now, before)?.text ?? null).toBe(text)
  })

  it('of a rate is told in points', () => {
    expect(compareRates(0.89, 0.86)?.text).toBe('Up 3 percentage points')
    expect(compareRates(0.85, 0.86)?.text).toBe('Down 1 percentage point')
    expect(compareRates(0.861, 0.86)?.text).toBe('No change')
    expect(compareRates(null, 0.5)).toBeNull()
  })

  it('of a time is good when it is less', () => {
    expect(compareTimes(600, 840)).toMatchObject({ text: '4m faster', tone: 'good', direction: 'down' })
    expect(compareTimes(840, 600)).toMatchObject({ text: '4m slower', tone: 'bad' })
    expect(compareTimes(601, 600)?.text).toBe('No change')
    expect(compareTimes(600, null)).toBeNull()
  })
})

import { describe, expect, it } from 'vitest'
import { age, ago, span } from './time'

const now = new Date('2026-11-15T12:00:00Z')
const past = (seconds: number) => new Date(now.getTime() - seconds * 1000)

describe('age', () => {
  it.each([
    [0, 'now'],
    [59, 'now'],
    [60, '1m'],
    [3_599, '59m'],
    [7_200, '2h'],
    [86_400 * 3, '3d'],
    [86_400 * 45, '1mo'],
    [86_400 * 800, '2y'],
  ])('%d seconds is %s', (seconds, text) => {
    expect(age(past(seconds), now)).toBe(text)
  })

  it('of something in the future is now: clocks differ', () => {
    expect(age(past(-30), now)).toBe('now')
  })
})

describe('ago', () => {
  it.each([
    [2, 'just now'],
    [90, '1 minute ago'],
    [86_400, 'yesterday'],
    [-3_600, 'in 1 hour'],
  ])('%d seconds is %s', (seconds, text) => {
    expect(ago(past(seconds), now)).toBe(text)
  })
})

describe('span', () => {
  it.each([
    [12, '12 s'],
    [600, '10 min'],
    [5_400, '1.5 h'],
    [172_800, '2.0 d'],
  ])('%d seconds is %s', (seconds, text) => {
    expect(span(seconds)).toBe(text)
  })
})

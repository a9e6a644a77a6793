import { afterEach, describe, expect, it } from 'vitest'
import { formatAge, formatDateTime, formatSpan, formatTimeAgo, getUtcOffset, setTimeZone } from './time'

const now = new Date('2026-11-15T12:00:00Z')
const past = (seconds: number) => new Date(now.getTime() - seconds * 1000)

describe('formatAge', () => {
  it.each([
    [0, 'now'],
    [59, 'now'],
    [60, '1m'],
    [3_599, '59m'],
    [7_200, '2h'],
    [86_400 * 3, '3d'],
    [86_400 * 45, '6w'],
    [86_400 * 800, '2y'],
  ])('%d seconds is %s', (seconds, text) => {
    expect(formatAge(past(seconds), now)).toBe(text)
  })

  it('of something in the future is now: clocks differ', () => {
    expect(formatAge(past(-30), now)).toBe('now')
  })
})

describe('formatTimeAgo', () => {
  it.each([
    [2, 'just now'],
    [90, '1 minute ago'],
    [86_400, 'yesterday'],
    [-3_600, 'in 1 hour'],
  ])('%d seconds is %s', (seconds, text) => {
    expect(formatTimeAgo(past(seconds), now)).toBe(text)
  })
})

describe('formatSpan', () => {
  it.each([
    [12, '12s'],
    [600, '10m'],
    [5_400, '1.5h'],
    [172_800, '2d'],
  ])('%d seconds is %s', (seconds, text) => {
    expect(formatSpan(seconds)).toBe(text)
  })
})

describe('the person’s time zone', () => {
  afterEach(() => setTimeZone(null))

  it('is the one that moments are written in', () => {
    setTimeZone('Asia/Tokyo')
    expect(formatDateTime('2026-11-15T23:30:00Z')).toMatch(/16.*8:30/)
    setTimeZone('America/New_York')
    expect(formatDateTime('2026-11-15T23:30:00Z')).toMatch(/15.*(6|18):30/)
  })

  it('is the device’s where none is chosen, or one that nobody knows', () => {
    const here = formatDateTime('2026-11-15T23:30:00Z')
    setTimeZone('Asia/Kolkata')
    setTimeZone('Mars/Olympus')
    expect(formatDateTime('2026-11-15T23:30:00Z')).toBe(here)
    setTimeZone('Asia/Kolkata')
    setTimeZone(null)
    expect(formatDateTime('2026-11-15T23:30:00Z')).toBe(here)
  })

  it.each([
    ['Europe/Berlin', '2026-07-01T12:00', '+02:00'],
    ['Europe/Berlin', '2026-12-01T12:00', '+01:00'],
    // An hour before and after a clock change.
    ['Europe/Berlin', '2026-03-29T01:30', '+01:00'],
    ['Europe/Berlin', '2026-03-29T03:30', '+02:00'],
    ['Asia/Kolkata', '2026-11-15T09:30:15', '+05:30'],
    ['America/St_Johns', '2026-12-01T00:10', '-03:30'],
    ['UTC', '2026-11-15T09:30', '+00:00'],
    ['Europe/Berlin', 'no time', 'Z'],
  ])('in %s clocks that show %s are at %s', (zone, wall, offset) => {
    setTimeZone(zone)
    expect(getUtcOffset(wall)).toBe(offset)
  })
})

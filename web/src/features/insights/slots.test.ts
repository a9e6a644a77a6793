import { describe, expect, it } from 'vitest'
import { addDays } from './calendar'
import { buildAxis, buildTimeTicks, getRangeName, type Slot } from './slots'

/** `Intl` puts narrow spaces into ranges. */
const plain = (text: string) => text.replaceAll(/\s/gu, ' ')

const now = new Date('2026-11-15T12:00:00Z')

function daily(from: string, days: number, to = addDays(from, days - 1)) {
  const series = Array.from({ length: days }, (_, place) => ({ start: `${addDays(from, place)}T00:00:00Z` }))
  return { bucket: 'day', timeZone: 'UTC', to, series } as const
}

describe('buildAxis', () => {
  it('knows what is over, what goes on and what has not begun', () => {
    const { slots } = buildAxis(daily('2026-11-14', 3), now)
    expect(slots.map(slot => slot.state)).toEqual(['whole', 'part', 'future'])
    expect(slots.map(slot => slot.name)).toEqual(['Sat, Nov 14', 'Sun, Nov 15', 'Mon, Nov 16'])
  })

  it('knows today also when it is the last', () => {
    expect(buildAxis(daily('2026-11-14', 2), now).slots.map(slot => slot.state)).toEqual(['whole', 'part'])
  })

  it('calls weeks by their days, and says which are cut', () => {
    const starts = ['2026-10-01', '2026-10-05', '2026-10-26', '2026-11-02']
    const series = starts.map(day => ({ start: `${day}T00:00:00Z` }))
    const { slots } = buildAxis({ bucket: 'week', timeZone: 'UTC', to: '2026-11-08', series }, now)
    expect(slots.map(slot => [plain(slot.name), slot.state])).toEqual([
      ['Oct 1 – 4', 'part'],
      ['Oct 5 – 25', 'whole'],
      ['Oct 26 – Nov 1', 'whole'],
      ['Nov 2 – 8', 'whole'],
    ])
  })

  it('calls hours and days as the zone does', () => {
    const series = [{ start: '2026-11-14T23:00:00Z' }, { start: '2026-11-15T00:00:00Z' }]
    const asked = { timeZone: 'Europe/Berlin', to: '2026-11-15', series }
    expect(buildAxis({ ...asked, bucket: 'hour' }, now).slots.map(slot => slot.name)).toEqual([
      'Sun, Nov 15, 12 AM',
      'Sun, Nov 15, 1 AM',
    ])
    expect(buildAxis({ ...asked, bucket: 'day' }, now).slots[0]?.name).toBe('Sun, Nov 15')
  })
})

describe('getRangeName', () => {
  const nameOf = (bucket: 'hour' | 'day', ...starts: string[]) => {
    const series = starts.map(start => ({ start }))
    const axis = buildAxis({ bucket, timeZone: 'UTC', to: '2026-11-15', series }, now)
    return plain(getRangeName(axis, axis.slots[0] as Slot, axis.slots.at(-1) as Slot))
  }

  it('covers the first to the last step', () => {
    expect(nameOf('day', '2026-11-13T00:00:00Z', '2026-11-14T00:00:00Z')).toBe('Nov 13 – 15')
    expect(nameOf('day', '2026-11-15T00:00:00Z')).toBe('Sun, Nov 15')
  })

  it('of hours ends when the last hour does', () => {
    expect(nameOf('hour', '2026-11-15T13:00:00Z', '2026-11-15T14:00:00Z')).toBe('Sun, Nov 15, 1 – 3 PM')
  })
})

describe('buildTimeTicks', () => {
  const labels = (days: number, room: number) =>
    buildTimeTicks(buildAxis(daily(addDays('2026-11-15', 1 - days), days), now), room).map(tick => tick.label)

  it('names every day where there is room', () => {
    expect(labels(3, 10)).toEqual(['13 Fri', '14 Sat', '15 Sun'])
  })

  it('names Mondays of a month, and firsts of a quarter', () => {
    expect(labels(30, 12)).toEqual(['Oct 19', 'Oct 26', 'Nov 2', 'Nov 9'])
    expect(labels(90, 8)).toEqual(['Sep 1', 'Sep 15', 'Oct 1', 'Oct 15', 'Nov 1', 'Nov 15'])
  })

  it.each([1, 2, 7, 30, 90, 366])('of %d days are never more than have room', days => {
    for (const room of [1, 2, 3, 5, 8, 20]) {
      const ticks = labels(days, room)
      expect(ticks.length).toBeGreaterThan(0)
      expect(ticks.length).toBeLessThanOrEqual(room)
    }
  })

  it('has at least one, however narrow it is', () => expect(labels(30, 0)).toHaveLength(1))
})

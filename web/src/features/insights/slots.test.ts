import { describe, expect, it } from 'vitest'
import { addDays } from './calendar'
import { axisOf, timeTicks } from './slots'

const now = new Date('2026-11-15T12:00:00Z')

function daily(from: string, days: number, to = addDays(from, days - 1)) {
  const series = Array.from({ length: days }, (_, place) => ({ start: `${addDays(from, place)}T00:00:00Z` }))
  return { bucket: 'day', timeZone: 'UTC', to, series } as const
}

describe('axisOf', () => {
  it('knows what is over, what goes on and what has not begun', () => {
    const { slots } = axisOf(daily('2026-11-14', 3), now)
    expect(slots.map(slot => slot.state)).toEqual(['whole', 'part', 'future'])
    expect(slots.map(slot => slot.name)).toEqual(['Sat 14 Nov', 'Sun 15 Nov', 'Mon 16 Nov'])
  })

  it('knows today also when it is the last', () => {
    expect(axisOf(daily('2026-11-14', 2), now).slots.map(slot => slot.state)).toEqual(['whole', 'part'])
  })

  it('calls weeks by their days, and says which are cut', () => {
    const starts = ['2026-10-01', '2026-10-05', '2026-10-26', '2026-11-02']
    const series = starts.map(day => ({ start: `${day}T00:00:00Z` }))
    const { slots } = axisOf({ bucket: 'week', timeZone: 'UTC', to: '2026-11-08', series }, now)
    expect(slots.map(slot => [slot.name, slot.state])).toEqual([
      ['1 – 4 Oct', 'part'],
      ['5 – 25 Oct', 'whole'],
      ['26 Oct – 1 Nov', 'whole'],
      ['2 – 8 Nov', 'whole'],
    ])
  })

  it('calls hours and days as the zone does', () => {
    const series = [{ start: '2026-11-14T23:00:00Z' }, { start: '2026-11-15T00:00:00Z' }]
    const asked = { timeZone: 'Europe/Berlin', to: '2026-11-15', series }
    expect(axisOf({ ...asked, bucket: 'hour' }, now).slots.map(slot => slot.name)).toEqual([
      'Sun 15 Nov, 00:00',
      'Sun 15 Nov, 01:00',
    ])
    expect(axisOf({ ...asked, bucket: 'day' }, now).slots[0]?.name).toBe('Sun 15 Nov')
  })
})

describe('timeTicks', () => {
  const labels = (days: number, room: number) =>
    timeTicks(axisOf(daily(addDays('2026-11-15', 1 - days), days), now), room).map(tick => tick.label)

  it('names every day where there is room', () => {
    expect(labels(3, 10)).toEqual(['Fri 13', 'Sat 14', 'Sun 15'])
  })

  it('names Mondays of a month, and firsts of a quarter', () => {
    expect(labels(30, 12)).toEqual(['19 Oct', '26 Oct', '2 Nov', '9 Nov'])
    expect(labels(90, 8)).toEqual(['1 Sept', '15 Sept', '1 Oct', '15 Oct', '1 Nov', '15 Nov'])
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

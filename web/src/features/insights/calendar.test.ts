import { afterEach, describe, expect, it } from 'vitest'
import { i18n } from '@/lib/i18n'
import { addDays, countDays, isDay } from './calendar'
import { formatHour, formatPeriod, formatWeekday, getDay, getHour } from './dates'

/** `Intl` puts narrow spaces into ranges. */
const plain = (text: string) => text.replaceAll(/\s/gu, ' ')

describe('dayIn', () => {
  it.each([
    ['UTC', '2026-11-15T23:30:00Z', '2026-11-15'],
    ['Europe/Berlin', '2026-11-15T23:30:00Z', '2026-11-16'],
    ['America/Los_Angeles', '2026-11-15T03:00:00Z', '2026-11-14'],
    ['Pacific/Kiritimati', '2026-12-31T11:00:00Z', '2027-01-01'],
  ])('in %s at %s it is %s', (zone, at, day) => {
    expect(getDay(zone, new Date(at))).toBe(day)
  })
})

describe('isDay', () => {
  it.each(['2026-02-28', '2028-02-29', '2026-12-31'])('%s is one', day => expect(isDay(day)).toBe(true))
  it.each(['2026-02-29', '2026-13-01', '2026-1-1', '15.11.2026', '', 'today', 20261115, null, undefined])(
    '%s is none',
    day => expect(isDay(day)).toBe(false),
  )
})

describe('days', () => {
  it('are counted with the first and the last, over months, years and clock changes', () => {
    expect(countDays('2026-11-15', '2026-11-15')).toBe(1)
    expect(countDays('2026-10-17', '2026-11-15')).toBe(30)
    expect(countDays('2026-03-01', '2026-03-31')).toBe(31)
    expect(addDays('2026-12-31', 1)).toBe('2027-01-01')
    expect(addDays('2028-03-01', -1)).toBe('2028-02-29')
  })

  it('have their year only where it is not this one', () => {
    expect(formatPeriod('2025-11-03', '2025-11-03', '2026-11-15')).toBe('Nov 3, 2025')
    expect(plain(formatPeriod('2025-12-30', '2026-01-02', '2026-11-15'))).toBe('Dec 30, 2025 – Jan 2, 2026')
    expect(formatPeriod('2026-01-02', '2026-01-02', '2026-11-15')).toBe('Jan 2')
    expect(plain(formatPeriod('2026-01-02', '2026-01-09', '2026-11-15'))).toBe('Jan 2 – 9')
  })
})

describe('in another language', () => {
  afterEach(() => i18n.loadAndActivate({ locale: 'en', messages: {} }))

  it('days, weekdays and hours are written as it writes them', () => {
    expect([formatWeekday(0, 'long'), formatWeekday(6, 'short')]).toEqual(['Monday', 'Sun'])
    expect([formatHour(0), formatHour(14), formatHour(24)]).toEqual(['12 AM', '2 PM', '12 AM'])
    i18n.loadAndActivate({ locale: 'de', messages: {} })
    expect([formatWeekday(0, 'long'), formatWeekday(6, 'short')]).toEqual(['Montag', 'So'])
    expect([formatHour(0), formatHour(14), formatHour(24)]).toEqual(['00:00', '14:00', '00:00'])
    expect(formatPeriod('2026-01-02', '2026-01-09', '2026-11-15')).toBe('2.–9. Jan.')
  })

  it('hours and days are still found', () => {
    i18n.loadAndActivate({ locale: 'ar', messages: {} })
    expect(getDay('Europe/Berlin', new Date('2026-11-15T23:30:00Z'))).toBe('2026-11-16')
    expect(getHour('Europe/Berlin', new Date('2026-11-15T23:30:00Z'))).toBe(0)
  })
})

import { describe, expect, it } from 'vitest'
import { getPeriodError } from './period-error'
import { getPeriod, readInsightsSearch } from './search-params'

describe('readInsightsSearch', () => {
  it.each([
    [{}, {}],
    [{ days: 7 }, { days: 7 }],
    [{ days: '90' }, { days: 90 }],
    [{ days: 30 }, {}],
    [{ days: 12 }, {}],
    [{ days: 'x', agent: '', form: null }, {}],
    [
      { agent: 'agt_1', form: 7 },
      { agent: 'agt_1', form: '7' },
    ],
    [
      { from: '2026-11-01', to: '2026-11-15', days: 7 },
      { from: '2026-11-01', to: '2026-11-15' },
    ],
    [{ from: '2026-11-01', days: 7 }, { days: 7 }],
    [{ from: '2026-11-16', to: '2026-11-15' }, {}],
    [{ from: '2020-01-01', to: '2026-11-15' }, {}],
    [{ from: ['2026-11-01'], to: { day: 1 } }, {}],
  ])('%j is read as %j', (raw, search) => {
    expect(readInsightsSearch(raw)).toEqual(search)
  })

  it('reads what it has read', () => {
    const search = readInsightsSearch({ from: '2026-11-01', to: '2026-11-15', agent: 'agt_1' })
    expect(readInsightsSearch(search)).toEqual(search)
  })
})

describe('getPeriod', () => {
  it('is the last days with today', () => {
    expect(getPeriod({}, '2026-11-15')).toEqual({ from: '2026-10-17', to: '2026-11-15', days: 30 })
    expect(getPeriod({ days: 7 }, '2026-11-15')).toEqual({ from: '2026-11-09', to: '2026-11-15', days: 7 })
  })

  it('is what was chosen', () => {
    const chosen = { from: '2026-01-01', to: '2026-01-02' }
    expect(getPeriod(chosen, '2026-11-15')).toEqual({ ...chosen, days: 2 })
  })
})

describe('getPeriodError', () => {
  it('allows a leap year and not a day more', () => {
    expect(getPeriodError('2025-11-15', '2026-11-15')).toBeNull()
    expect(getPeriodError('2025-11-14', '2026-11-15')).toContain('366')
  })

  it('says what is wrong', () => {
    expect(getPeriodError('', '2026-11-15')).toContain('Choose')
    expect(getPeriodError('2026-11-16', '2026-11-15')).toContain('after')
  })
})

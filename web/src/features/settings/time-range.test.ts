import { describe, expect, it } from 'vitest'
import { toTimeRange } from './time-range'

const now = Date.parse('2026-11-15T12:00:30Z')

describe('toTimeRange', () => {
  it.each([
    [{}, {}],
    [{ within: '24h' }, { since: '2026-11-14T12:00:00.000Z' }],
    [{ within: 'ever' }, {}],
    [{ since: '2026-11-01T10:00:00Z' }, { since: '2026-11-01T10:00:00.000Z' }],
    [{ since: 'yesterday', until: '2026-11-01T10:00:00Z' }, { until: '2026-11-01T10:00:00.000Z' }],
    [{ within: '1h', since: '2026-11-01T10:00:00Z' }, { since: '2026-11-15T11:00:00.000Z' }],
  ])('%j asks for %j', (search, range) => {
    expect(toTimeRange(search, now)).toEqual(range)
  })
})

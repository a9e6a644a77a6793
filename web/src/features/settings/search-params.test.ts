import { describe, expect, it } from 'vitest'
import { readSettingsSearch } from './search-params'

describe('readSettingsSearch', () => {
  it.each([
    [{}, {}],
    [
      { status: 'dead', agent: 'agt_1' },
      { status: 'dead', agent: 'agt_1' },
    ],
    [{ open: 42 }, { open: '42' }],
    [{ status: '', agent: null, form: ['x'], other: 'x' }, {}],
  ])('%j is %j', (raw, search) => {
    expect(readSettingsSearch(raw)).toEqual(search)
  })

  it('cuts what is too long to be meant', () => {
    expect(readSettingsSearch({ object: 'x'.repeat(5000) }).object).toHaveLength(200)
  })
})

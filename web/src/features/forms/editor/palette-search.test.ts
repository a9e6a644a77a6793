import { describe, expect, it } from 'vitest'
import { palette } from './palette-items'
import { searchPalette } from './palette-search'

describe('finding what to add', () => {
  it.each(
    palette()
      .flatMap(({ items }) => items)
      .map(item => [item.name, item.kind]),
  )('%s by its name', (name, kind) => {
    expect(searchPalette(name)[0]?.kind).toBe(kind)
  })
  it.each([
    ['list', 'list'],
    ['star', 'rating'],
    ['col', 'columns'],
  ])('%s', (words, kind) => {
    expect(searchPalette(words)[0]?.kind).toBe(kind)
  })
  it('finds nothing for nonsense', () => {
    expect(searchPalette('qqq')).toEqual([])
  })
})

import { describe, expect, it } from 'vitest'
import { findNeighbors } from './neighbors'

const ids = ['a', 'b', 'c']

describe('findNeighbors', () => {
  it.each([
    ['a', undefined, { index: 0, previous: undefined, next: 'b' }],
    ['b', undefined, { index: 1, previous: 'a', next: 'c' }],
    ['c', 0, { index: 2, previous: 'b', next: undefined }],
    ['gone', 1, { index: 1, previous: 'a', next: 'b' }],
    ['gone', 3, { index: 3, previous: 'c', next: undefined }],
    ['gone', 17, { index: 3, previous: 'c', next: undefined }],
    ['never there', undefined, undefined],
  ])('%s, last seen at %s', (id, last, expected) => {
    expect(findNeighbors(ids, id, last)).toEqual(expected)
  })
})

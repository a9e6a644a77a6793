import { describe, expect, it } from 'vitest'
import { findUnviewed, markViewed, type ViewedItems } from './viewed-items'

const sent = [{ a: 1 }, { a: 2 }, { a: 3 }]
const keys = ['k1', 'k2', 'k3']
const none: ViewedItems = { of: sent, keys: new Set() }

describe('viewed rows', () => {
  it('are those that have been shown, wherever they are now', () => {
    const viewed = markViewed(markViewed(none, sent, ['k1']), sent, ['k3'])
    expect(findUnviewed(viewed, sent, keys)).toEqual([1])
    expect(findUnviewed(viewed, sent, ['k2', 'k3', 'k1'])).toEqual([0])
  })

  it('stay the same object when there is nothing to add', () => {
    const viewed = markViewed(none, sent, ['k1'])
    expect(markViewed(viewed, sent, ['k1'])).toBe(viewed)
    expect(markViewed(viewed, sent, [])).toBe(viewed)
  })

  it('start over when the agent sends other content', () => {
    const viewed = markViewed(none, sent, keys)
    const other = [{ a: 9 }, { a: 8 }, { a: 7 }]
    expect(findUnviewed(viewed, other, keys)).toEqual([0, 1, 2])
    expect(findUnviewed(markViewed(viewed, other, ['k1']), other, keys)).toEqual([1, 2])
  })
})

import { describe, expect, it } from 'vitest'
import type { ReviewRow } from '@/api/review-filters'
import {
  add,
  extendTo,
  isOtherType,
  MOST_SELECTED,
  NOTHING,
  refreshed,
  type Selection,
  selectedType,
  toggle,
} from './selection'

const row = (id: string, change: Partial<ReviewRow> = {}) =>
  ({
    reviewId: id,
    state: 'pending',
    formId: 'frm_1',
    formName: 'Draft',
    revision: 1,
    ...change,
  }) as ReviewRow

const list = ['a', 'b', 'c', 'd', 'e'].map(id => row(id))
const at = (index: number) => list[index] as ReviewRow
const ids = (selection: Selection) => [...selection.rows.keys()].sort().join('')

describe('selection', () => {
  it('puts in and takes out', () => {
    const one = toggle(NOTHING, at(1))
    expect(ids(one)).toBe('b')
    expect(ids(toggle(one, at(1)))).toBe('')
  })

  it.each([
    [1, 3, 'bcd'],
    [3, 1, 'bcd'],
    [2, 2, 'c'],
  ])('takes the range from %d to %d', (from, to, expected) => {
    expect(ids(extendTo(toggle(NOTHING, at(from)), list, at(to)))).toBe(expected)
  })

  it('a range without a beginning is one row', () => {
    expect(ids(extendTo(NOTHING, list, at(2)))).toBe('c')
  })

  it('leaves out what is decided', () => {
    const decided = row('x', { state: 'responded' })
    expect(ids(toggle(NOTHING, decided))).toBe('')
    expect(ids(add(NOTHING, [at(0), decided, at(1)]))).toBe('ab')
  })

  it('has an end', () => {
    const many = Array.from({ length: MOST_SELECTED + 50 }, (_, index) => row(`r${index}`))
    const full = add(NOTHING, many)
    expect(full.rows.size).toBe(MOST_SELECTED)
    expect(toggle(full, row('one more')).rows.size).toBe(MOST_SELECTED)
  })

  it('follows what happens to the reviews', () => {
    const chosen = add(NOTHING, list)
    const replaced = row('b', { revision: 2 })
    const now = refreshed(chosen, [at(0), replaced, row('c', { state: 'responded' }), at(4)])
    expect(ids(now)).toBe('abe')
    expect(now.rows.get('b')).toBe(replaced)
    expect(refreshed(chosen, list)).toBe(chosen)
  })

  it('has one review type', () => {
    const other = row('x', { formId: 'frm_2', formName: 'Refund' })
    const one = toggle(NOTHING, at(0))
    expect(selectedType(NOTHING)).toBeUndefined()
    expect(selectedType(one)).toEqual({ formId: 'frm_1', name: 'Draft' })
    expect([isOtherType(NOTHING, other), isOtherType(one, other), isOtherType(one, at(1))]).toEqual([
      false,
      true,
      false,
    ])
    expect(toggle(one, other)).toBe(one)
    expect(ids(add(one, [other, at(1)]))).toBe('ab')
    expect(ids(add(NOTHING, [other, at(0), at(1)]))).toBe('x')
  })

  it.each([
    [0, 2],
    [2, 0],
  ])('a range from %d to %d leaves out other review types', (from, to) => {
    const mixed = [at(0), row('x', { formId: 'frm_2' }), at(1), at(2)]
    const start = toggle(NOTHING, mixed[from] as ReviewRow)
    expect(ids(extendTo(start, mixed, mixed[to] as ReviewRow))).toBe('ab')
    // Also when nothing is selected any more where the range begins.
    expect(ids(extendTo({ ...NOTHING, anchor: start.anchor }, mixed, row('x', { formId: 'frm_2' })))).toBe(
      from === 0 ? 'a' : 'b',
    )
  })
})

import { describe, expect, it } from 'vitest'
import type { ReviewRow } from '@/api/review-filters'
import {
  addToSelection,
  EMPTY_SELECTION,
  extendSelection,
  getSelectedType,
  isOtherType,
  MAX_SELECTED,
  refreshSelection,
  type Selection,
  toggleSelection,
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
    const one = toggleSelection(EMPTY_SELECTION, at(1))
    expect(ids(one)).toBe('b')
    expect(ids(toggleSelection(one, at(1)))).toBe('')
  })

  it.each([
    [1, 3, 'bcd'],
    [3, 1, 'bcd'],
    [2, 2, 'c'],
  ])('takes the range from %d to %d', (from, to, expected) => {
    expect(ids(extendSelection(toggleSelection(EMPTY_SELECTION, at(from)), list, at(to)))).toBe(expected)
  })

  it('a range without a beginning is one row', () => {
    expect(ids(extendSelection(EMPTY_SELECTION, list, at(2)))).toBe('c')
  })

  it('leaves out what is decided', () => {
    const decided = row('x', { state: 'responded' })
    expect(ids(toggleSelection(EMPTY_SELECTION, decided))).toBe('')
    expect(ids(addToSelection(EMPTY_SELECTION, [at(0), decided, at(1)]))).toBe('ab')
  })

  it('has an end', () => {
    const many = Array.from({ length: MAX_SELECTED + 50 }, (_, index) => row(`r${index}`))
    const full = addToSelection(EMPTY_SELECTION, many)
    expect(full.rows.size).toBe(MAX_SELECTED)
    expect(toggleSelection(full, row('one more')).rows.size).toBe(MAX_SELECTED)
  })

  it('follows what happens to the reviews', () => {
    const chosen = addToSelection(EMPTY_SELECTION, list)
    const replaced = row('b', { revision: 2 })
    const now = refreshSelection(chosen, [at(0), replaced, row('c', { state: 'responded' }), at(4)])
    expect(ids(now)).toBe('abe')
    expect(now.rows.get('b')).toBe(replaced)
    expect(refreshSelection(chosen, list)).toBe(chosen)
  })

  it('has one review type', () => {
    const other = row('x', { formId: 'frm_2', formName: 'Refund' })
    const one = toggleSelection(EMPTY_SELECTION, at(0))
    expect(getSelectedType(EMPTY_SELECTION)).toBeUndefined()
    expect(getSelectedType(one)).toEqual({ formId: 'frm_1', formName: 'Draft' })
    expect([isOtherType(EMPTY_SELECTION, other), isOtherType(one, other), isOtherType(one, at(1))]).toEqual([
      false,
      true,
      false,
    ])
    expect(toggleSelection(one, other)).toBe(one)
    expect(ids(addToSelection(one, [other, at(1)]))).toBe('ab')
    expect(ids(addToSelection(EMPTY_SELECTION, [other, at(0), at(1)]))).toBe('x')
  })

  it.each([
    [0, 2],
    [2, 0],
  ])('a range from %d to %d leaves out other review types', (from, to) => {
    const mixed = [at(0), row('x', { formId: 'frm_2' }), at(1), at(2)]
    const start = toggleSelection(EMPTY_SELECTION, mixed[from] as ReviewRow)
    expect(ids(extendSelection(start, mixed, mixed[to] as ReviewRow))).toBe('ab')
    // Also if the start of the range isn't selected any more.
    expect(
      ids(
        extendSelection({ ...EMPTY_SELECTION, anchor: start.anchor }, mixed, row('x', { formId: 'frm_2' })),
      ),
    ).toBe(from === 0 ? 'a' : 'b')
  })
})

import { describe, expect, it } from 'vitest'
import { getShiftAbove } from './scroll-anchor'

const letters = (text: string) => text.split('')

describe('getShiftAbove', () => {
  it.each([
    ['nothing changed', 'abcd', 'abcd', 2, { rows: 0, added: 0 }],
    ['two came at the top', 'abcd', 'xyabcd', 2, { rows: 2, added: 2 }],
    ['one went above', 'abcd', 'bcd', 2, { rows: -1, added: 0 }],
    ['one came, one went', 'abcd', 'xbcd', 2, { rows: 0, added: 1 }],
    ['something changed below only', 'abcd', 'abcx', 1, { rows: 0, added: 0 }],
    ['the row itself went', 'abcd', 'abd', 2, { rows: 0, added: 0 }],
    ['the row and one above went', 'abcd', 'bd', 2, { rows: -1, added: 0 }],
    ['everything went', 'abcd', '', 2, { rows: 0, added: 0 }],
    ['there was nothing', '', 'ab', 0, { rows: 0, added: 0 }],
    ['more followed', 'ab', 'abcdef', 1, { rows: 0, added: 0 }],
  ])('%s', (_name, before, after, top, shift) => {
    expect(getShiftAbove(letters(before), letters(after), top)).toEqual(shift)
  })
})

import { expect, test } from 'vitest'
import type { Counts } from '@/api/inbox'
import { formatCount, formatSavedCount } from './views'

const COUNTS = {
  views: { mine: 0, myGroups: 0, unassigned: 0, all: 0, waiting: 0 },
  agents: {},
  forms: {},
  saved: { viw_1: 12, viw_2: 12, viw_3: 0, viw_4: 1_000 },
  incomplete: ['viw_2', 'viw_3'],
  chat: { unread: 0 },
  ceiling: 1_000,
} satisfies Counts

test('a count that reaches the ceiling is a minimum', () => {
  expect(formatCount(999, COUNTS)).toBe('999')
  expect(formatCount(1_000, COUNTS)).toBe('1,000+')
})

test('there is no number without reviews, or before the counts are loaded', () => {
  expect(formatCount(0, COUNTS)).toBe('')
  expect(formatCount(undefined, COUNTS)).toBe('')
  expect(formatCount(3, undefined)).toBe('')
})

test('a saved view of which only some reviews are checked has a minimum', () => {
  const shown = ['viw_1', 'viw_2', 'viw_3', 'viw_4', 'viw_5'].map(id => formatSavedCount(id, COUNTS))
  expect(shown).toEqual(['12', '12+', '', '1,000+', ''])
})

import { expect, it } from 'vitest'
import type { HistoryEntry, Revision } from '@/api/review'
import { timeline } from './timeline'

const entry = (action: string, kind = 'user', details?: Record<string, unknown>): HistoryEntry => ({
  at: '2026-11-15T08:00:00Z',
  action,
  actor: { kind, id: 'x', name: 'ann@example.com' },
  ...(details && { details }),
})
const revision = (number: number, instructions?: string): Revision => ({
  revision: number,
  createdAt: '2026-11-15T08:00:00Z',
  data: {},
  ...(instructions && { retry: { at: '', by: 'ann@example.com', instructions, fieldIds: ['headline'] } }),
})

it('tells what happened in words, with what people said', () => {
  const moments = timeline(
    [
      entry('review.requested', 'key'),
      entry('review.retry_requested', 'user', { instructions: 'Shorter.' }),
      entry('review.updated', 'key', { revision: 2 }),
      entry('review.rejected', 'external'),
      entry('delivery.retried'),
      entry('review.something_new', 'system'),
    ],
    [revision(1, 'Shorter.'), revision(2)],
    { agentName: 'Writer', reason: 'Still too long.' },
  )
  expect(moments.map(({ who, what }) => `${who} ${what}`)).toEqual([
    'Writer (key ann@example.com) asked for the review',
    'ann@example.com requested changes',
    'Writer (key ann@example.com) replaced the content',
    'ann@example.com (external) rejected',
    'ann@example.com ordered another delivery attempt',
    'Signoff review.something_new',
  ])
  expect(moments[1]).toMatchObject({ quote: 'Shorter.', fieldIds: ['headline'] })
  expect(moments[2]).toMatchObject({ revision: 2 })
  expect(moments[3]).toMatchObject({ quote: 'Still too long.' })
})

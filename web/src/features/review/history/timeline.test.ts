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

it('tells what happened by time, and what became of retries', () => {
  const moments = timeline(
    [
      entry('review.retry_requested', 'user', { instructions: 'Shorter.' }),
      entry('review.retry_reminded', 'system', { reminder: 1 }),
      entry('review.retry_withdrawn'),
      entry('review.retry_requested', 'user', { instructions: 'Longer.' }),
      entry('review.reminded', 'system', { step: 1 }),
      entry('review.reminded', 'system', { step: 2, insteadOf: 'handOver' }),
      entry('review.handed_over', 'system', { to: { users: ['eda@example.com'], groups: [], external: [] } }),
      entry('review.extended', 'user', { to: '2026-11-16T08:00:00Z', note: 'Ann is away' }),
      { ...entry('review.rejected', 'system'), actor: { kind: 'system', id: 'system', name: 'time-out' } },
    ],
    [revision(1, 'Longer.')],
  )
  expect(moments.map(({ who, what }) => `${who} ${what}`)).toEqual([
    'ann@example.com requested changes',
    'Signoff asked the agent again',
    'ann@example.com took the request for changes back',
    'ann@example.com requested changes',
    'Signoff reminded those who are asked',
    'Signoff could not hand the review over, as nobody is left to ask, and reminded instead',
    'Signoff handed the review over, as nobody decided in time: asked eda@example.com instead',
    expect.stringMatching(/^ann@example.com gave more time, until .*16/),
    'Signoff rejected it by time-out, as nobody decided in time',
  ])
  // What was taken back has its words, but no longer the fields that it was about.
  expect(moments[0]).toMatchObject({ quote: 'Shorter.' })
  expect(moments[0]).not.toHaveProperty('fieldIds')
  expect(moments[3]).toMatchObject({ quote: 'Longer.', fieldIds: ['headline'] })
  expect(moments[7]).toMatchObject({ quote: 'Ann is away' })
})

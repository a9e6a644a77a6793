import { describe, expect, it } from 'vitest'
import type { ReviewRow } from './review-filters'
import { type SessionList, type SessionRow, withSession } from './session-lists'
import {
  findLastSettled,
  getMessages,
  type Message,
  type Timeline,
  type TimelineItem,
  withMessages,
  withReview,
} from './session-timeline'

const at = (minute: number) => `2026-11-15T10:${String(minute).padStart(2, '0')}:00.000Z`

const message = (number: number, more: Partial<Message> = {}): Message => ({
  messageId: `msg_${number}`,
  sessionId: 'ses_1',
  number,
  role: 'agent',
  text: `Text ${number}`,
  attachments: [],
  state: 'complete',
  createdAt: at(number),
  updatedAt: at(number),
  agentId: 'agt_1',
  ...more,
})
const said = (number: number, more: Partial<Message> = {}): TimelineItem => {
  const made = message(number, more)
  return { kind: 'message', at: made.createdAt, message: made }
}
const row = (reviewId: string, minute: number, more: Partial<ReviewRow> = {}) =>
  ({ reviewId, sessionId: 'ses_1', createdAt: at(minute), state: 'pending', ...more }) as ReviewRow
const timeline = (items: TimelineItem[], nextCursor: string | null = null): Timeline => ({
  pages: [{ items, nextCursor }],
  pageParams: [undefined],
})
const short = (known: Timeline) =>
  known.pages.flatMap(page =>
    page.items.map(item => (item.kind === 'message' ? item.message.number : item.review.reviewId)),
  )

describe('a timeline', () => {
  it('takes new messages at its newest end, once', () => {
    const known = withMessages(timeline([said(2), said(1)]), [message(3), message(2)])
    expect(short(known)).toEqual([3, 2, 1])
    expect(short(withMessages(known, [message(3)]))).toEqual([3, 2, 1])
  })

  it('keeps the newer of two states of a message', () => {
    const known = timeline([said(1, { text: 'Hello wor', updatedAt: at(9), state: 'streaming' })])
    const late = withMessages(known, [message(1, { text: 'Hello', updatedAt: at(8), state: 'streaming' })])
    expect(getMessages(late)[0]?.text).toBe('Hello wor')
    const done = withMessages(known, [message(1, { text: 'Hello world', updatedAt: at(10) })])
    expect(getMessages(done)[0]).toMatchObject({ text: 'Hello world', state: 'complete' })
  })

  it('notices that a message was delivered', () => {
    const known = timeline([said(1, { delivery: { deliveryId: 'whd_1', status: 'pending' } })])
    const now = withMessages(known, [message(1, { delivery: { deliveryId: 'whd_1', status: 'succeeded' } })])
    expect(getMessages(now)[0]?.delivery?.status).toBe('succeeded')
  })

  it('has reviews in their place, changes them, and loses those that are gone', () => {
    const known = withReview(timeline([said(5), said(1)]), { reviewId: 'rev_1', row: row('rev_1', 3) })
    expect(short(known)).toEqual([5, 'rev_1', 1])
    const decided = withReview(known, { reviewId: 'rev_1', row: row('rev_1', 3, { state: 'responded' }) })
    expect(decided.pages[0]?.items[1]?.kind).toBe('trigger')
    expect(short(withReview(known, { reviewId: 'rev_1', row: null }))).toEqual([5, 1])
  })

  it('leaves alone what lies before everything that was read', () => {
    const known = timeline([said(5), said(4)], 'more')
    expect(short(withReview(known, { reviewId: 'rev_1', row: row('rev_1', 1) }))).toEqual([5, 4])
    expect(short(withMessages(known, [message(1)]))).toEqual([5, 4])
  })

  it('is read from before the oldest message that may still change', () => {
    expect(findLastSettled(timeline([said(3), said(2), said(1)]))).toBe('msg_3')
    expect(findLastSettled(timeline([said(3), said(2, { state: 'streaming' }), said(1)]))).toBe('msg_1')
    expect(findLastSettled(timeline([said(1, { state: 'streaming' })]))).toBeUndefined()
    expect(findLastSettled(timeline([]))).toBeUndefined()
  })
})

describe('a list of sessions', () => {
  const session = (sessionId: string, minute: number, more: Partial<SessionRow> = {}) =>
    ({ sessionId, agentId: 'agt_1', activeAt: at(minute), messageCount: 1, unread: 0, ...more }) as SessionRow
  const list = (items: SessionRow[], nextCursor: string | null = null): SessionList => ({
    pages: [{ items, nextCursor }],
    pageParams: [undefined],
  })
  const ids = (known: SessionList | undefined) =>
    known?.pages.flatMap(page => page.items.map(item => item.sessionId))

  it('has the one with something new first', () => {
    const known = list([session('a', 5), session('b', 4), session('c', 3)])
    expect(ids(withSession(known, {}, session('c', 6)))).toEqual(['c', 'a', 'b'])
    expect(ids(withSession(known, {}, session('d', 4)))).toEqual(['a', 'd', 'b', 'c'])
  })

  it('stays in order when only a name or a mark changed', () => {
    const known = list([session('a', 5), session('b', 4)])
    const patched = withSession(known, {}, session('b', 4, { unread: 2 }))
    expect(ids(patched)).toEqual(['a', 'b'])
    expect(patched?.pages[0]?.items[1]?.unread).toBe(2)
  })

  it('of another agent stays as it is, and a search is for the service', () => {
    const known = list([session('a', 5)])
    expect(withSession(known, { agentId: 'agt_2' }, session('b', 6))).toBe(known)
    expect(withSession(known, { q: 'word' }, session('b', 6))).toBeUndefined()
  })
})

// @vitest-environment jsdom
import { beforeEach, describe, expect, it } from 'vitest'
import type { ReviewRow } from './review-filters'
import { reviewRows } from './reviews'
import { selectRows, startRead } from './row-store'
import {
  findLastSettled,
  getMessages,
  type Message,
  mergeByTime,
  messageRows,
  storeTimelinePage,
  type Timeline,
  type TimelineItem,
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
  pages: [storeTimelinePage({ items, nextCursor }, startRead())],
  pageParams: [undefined],
})
const select = (known: Timeline) =>
  mergeByTime(
    getMessages('ses_1', known),
    selectRows(
      reviewRows,
      known.pages.map(page => page.reviews),
      { match: each => (each.sessionId === 'ses_1' ? 'yes' : 'no'), getPosition: each => each.createdAt },
    ),
  )
const short = (known: Timeline) =>
  select(known).map(item => (item.kind === 'message' ? item.message.number : item.review.reviewId))

beforeEach(() => {
  messageRows.clear()
  reviewRows.clear()
})

describe('a timeline', () => {
  it('takes new messages at its newest end, once', () => {
    const known = timeline([said(2), said(1)])
    messageRows.addResponse([message(3), message(2)], startRead())
    expect(short(known)).toEqual([3, 2, 1])
    messageRows.addChanges([message(3)])
    expect(short(known)).toEqual([3, 2, 1])
  })

  it('sorts messages by number, whatever their timestamps say', () => {
    const known = timeline([said(5), said(4)])
    messageRows.addChanges([message(7, { createdAt: at(5) }), message(6, { createdAt: at(6) })])
    expect(short(known)).toEqual([7, 6, 5, 4])
  })

  it('has no messages of other sessions', () => {
    const known = timeline([said(2)])
    messageRows.addChanges([message(3, { sessionId: 'ses_2' })])
    reviewRows.addChanges([row('rev_1', 3, { sessionId: 'ses_2' })])
    expect(short(known)).toEqual([2])
  })

  it('keeps the newer of two states of a message', () => {
    const known = timeline([said(1, { text: 'Hello wor', updatedAt: at(9), state: 'streaming' })])
    const shown = () => getMessages('ses_1', known)[0]
    messageRows.addChanges([message(1, { text: 'Hello', updatedAt: at(8), state: 'streaming' })])
    expect(shown()?.text).toBe('Hello wor')
    messageRows.addChanges([message(1, { text: 'Hello world', updatedAt: at(10) })])
    expect(shown()).toMatchObject({ text: 'Hello world', state: 'complete' })
  })

  it('notices that a message was delivered', () => {
    const known = timeline([said(1, { delivery: { deliveryId: 'whd_1', status: 'pending' } })])
    const delivery = { deliveryId: 'whd_1', status: 'succeeded' } as const
    messageRows.addResponse([message(1, { delivery })], startRead())
    expect(getMessages('ses_1', known)[0]?.delivery?.status).toBe('succeeded')
  })

  it('has reviews in their place, changes them, and drops deleted ones', () => {
    const known = timeline([said(5), said(1)])
    reviewRows.addChanges([row('rev_1', 3)])
    expect(short(known)).toEqual([5, 'rev_1', 1])
    reviewRows.addChanges([row('rev_1', 3, { state: 'responded' })])
    expect(select(known)[1]?.kind).toBe('trigger')
    reviewRows.delete(['rev_1'])
    expect(short(known)).toEqual([5, 1])
  })

  it('leaves out what is older than the loaded pages', () => {
    const known = timeline([said(5), said(4)], 'more')
    reviewRows.addChanges([row('rev_1', 1)])
    messageRows.addChanges([message(1)])
    expect(short(known)).toEqual([5, 4])
  })

  it('is read from before the oldest message that may still change', () => {
    expect(findLastSettled([message(3), message(2), message(1)])).toBe('msg_3')
    expect(findLastSettled([message(3), message(2, { state: 'streaming' }), message(1)])).toBe('msg_1')
    expect(findLastSettled([message(1, { state: 'streaming' })])).toBeUndefined()
    expect(findLastSettled([])).toBeUndefined()
  })
})

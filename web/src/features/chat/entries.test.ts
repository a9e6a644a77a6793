import { describe, expect, it } from 'vitest'
import type { OutgoingMessage } from '@/api/outgoing-messages'
import type { ReviewRow } from '@/api/reviews'
import type { Message, TimelineItem } from '@/api/sessions'
import { buildEntries, type Entry } from './entries'

const DAY = (at: string | number) => new Date(at).toISOString().slice(0, 10)

function said(number: number, at: string, more: Partial<Message> = {}): TimelineItem {
  const message: Message = {
    messageId: `msg_${number}`,
    sessionId: 'ses_1',
    number,
    role: 'human',
    text: `Message ${number}`,
    attachments: [],
    state: 'complete',
    createdAt: at,
    updatedAt: at,
    agentId: 'agt_1',
    user: { id: 'usr_1', email: 'a@example.com', name: 'Ann' },
    ...more,
  }
  return { kind: 'message', at, message }
}

const asked = (reviewId: string, at: string): TimelineItem => ({
  kind: 'review',
  at,
  review: { reviewId, createdAt: at } as ReviewRow,
})

const short = (entry: Entry): string => {
  if (entry.kind === 'message') return `${entry.message.number}${entry.isContinued ? '+' : ''}`
  if (entry.kind === 'outgoing') return `out${entry.isContinued ? '+' : ''}`
  return entry.key
}

const drawn = (
  items: TimelineItem[],
  { outgoing = [] as OutgoingMessage[], firstUnread = null as number | null } = {},
) => buildEntries({ items: items.toReversed(), outgoing, firstUnread, dayOf: DAY }).map(short)

describe('entries', () => {
  it('are oldest first, each day under its name, and the speaker named once', () => {
    expect(
      drawn([
        said(1, '2026-11-14T10:00:00.000Z'),
        said(2, '2026-11-14T10:01:00.000Z'),
        said(3, '2026-11-14T10:30:00.000Z'),
        said(4, '2026-11-15T00:00:10.000Z'),
        said(5, '2026-11-15T00:00:20.000Z', { role: 'agent', user: undefined }),
      ]),
    ).toEqual(['day 2026-11-14', '1', '2+', '3', 'day 2026-11-15', '4', '5'])
  })

  it('have a line above the first that was unread', () => {
    const items = [said(1, '2026-11-15T10:00:00.000Z'), said(2, '2026-11-15T10:00:01.000Z')]
    expect(drawn(items, { firstUnread: 2 })).toEqual(['day 2026-11-15', '1', 'unread', '2'])
    expect(drawn(items, { firstUnread: 9 })).toEqual(['day 2026-11-15', '1', '2+'])
  })

  it('show a review in the message that it came with, and else where it was asked for', () => {
    const items = [
      asked('rev_1', '2026-11-15T10:00:00.000Z'),
      asked('rev_2', '2026-11-15T10:00:01.000Z'),
      said(1, '2026-11-15T10:00:02.000Z', { reviewId: 'rev_2' }),
    ]
    expect(drawn(items)).toEqual(['day 2026-11-15', 'review rev_1', '1'])
  })

  it('show a review once, in the newest message that it came with', () => {
    const entries = buildEntries({
      items: [
        asked('rev_1', '2026-11-15T10:00:00.000Z'),
        said(1, '2026-11-15T10:00:01.000Z', { reviewId: 'rev_1' }),
        said(2, '2026-11-15T10:00:02.000Z', { reviewId: 'rev_1' }),
        said(3, '2026-11-15T10:00:03.000Z'),
      ].toReversed(),
      outgoing: [],
      firstUnread: null,
      dayOf: DAY,
    })
    const messages = entries.filter(entry => entry.kind === 'message')
    expect(messages.map(entry => entry.hasReview)).toEqual([false, true, false])
    expect(entries.filter(entry => entry.kind === 'review')).toEqual([])
  })

  it('end with what is on its way', () => {
    const outgoing = {
      id: 'k',
      by: 'usr_1',
      createdAt: Date.parse('2026-11-15T10:00:05.000Z'),
    } as OutgoingMessage
    expect(drawn([said(1, '2026-11-15T10:00:00.000Z')], { outgoing: [outgoing] })).toEqual([
      'day 2026-11-15',
      '1',
      'out+',
    ])
  })
})

/** The entries of a timeline as rendered: oldest first, with days, the "New" divider, and each author named once. */

import type { OutgoingMessage } from '@/api/outgoing-messages'
import type { ReviewRow } from '@/api/reviews'
import type { Message, TimelineItem } from '@/api/sessions'

export type Entry =
  | { kind: 'day'; key: string; at: string }
  | { kind: 'unread'; key: string }
  | {
      kind: 'message'
      key: string
      message: Message
      /** From the same author as the previous message, shortly before. */
      isContinued: boolean
      /** It's the newest message that the review came with, so the card renders here. */
      hasReview: boolean
    }
  | { kind: 'review' | 'trigger'; key: string; review: ReviewRow }
  | { kind: 'outgoing'; key: string; outgoing: OutgoingMessage; isContinued: boolean }

/** Within this time the same author isn't named again. */
const SAME_SPEAKER_MS = 5 * 60_000

export type EntriesInput = {
  /** Newest first. */
  items: readonly TimelineItem[]
  outgoing: readonly OutgoingMessage[]
  /** The number of the first message that was unread when the session was opened. */
  firstUnread: number | null
  dayOf: (at: string | number) => string
}

export function buildEntries({ items, outgoing, firstUnread, dayOf }: EntriesInput): Entry[] {
  const entries: Entry[] = []
  /** The newest message that each review came with, by review. */
  const attached = new Map<string, string>()
  for (const item of items)
    if (item.kind === 'message' && item.message.reviewId && !attached.has(item.message.reviewId))
      attached.set(item.message.reviewId, item.message.messageId)
  let day = ''
  let speaker: { id: string; at: number } | null = null
  const continueSpeaker = (id: string, at: number): boolean => {
    const same = speaker !== null && speaker.id === id && at - speaker.at < SAME_SPEAKER_MS
    speaker = { id, at }
    return same
  }
  const enterDay = (at: string | number) => {
    if (dayOf(at) === day) return
    day = dayOf(at)
    speaker = null
    entries.push({ kind: 'day', key: `day ${day}`, at: String(at) })
  }
  let drewLine = false
  for (const item of items.toReversed()) {
    // The agent attached it to a message, so it renders there.
    if (item.kind !== 'message' && attached.has(item.review.reviewId)) continue
    enterDay(item.at)
    if (item.kind !== 'message') {
      speaker = null
      entries.push({ kind: item.kind, key: `review ${item.review.reviewId}`, review: item.review })
      continue
    }
    const { message } = item
    if (!drewLine && firstUnread !== null && message.number >= firstUnread) {
      drewLine = true
      speaker = null
      entries.push({ kind: 'unread', key: 'unread' })
    }
    const id = getSpeaker(message)
    entries.push({
      kind: 'message',
      key: message.messageId,
      message,
      isContinued: continueSpeaker(id, Date.parse(message.createdAt)),
      hasReview: message.reviewId !== undefined && attached.get(message.reviewId) === message.messageId,
    })
  }
  for (const each of outgoing) {
    enterDay(each.createdAt)
    entries.push({
      kind: 'outgoing',
      key: each.id,
      outgoing: each,
      isContinued: continueSpeaker(each.by, each.createdAt),
    })
  }
  return entries
}

/** A former member may have no ID any more. */
const getSpeaker = (message: Message): string =>
  message.role === 'agent' ? 'agent' : (message.user?.id ?? 'somebody')

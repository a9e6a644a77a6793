/** The timeline of a session, newest first: its messages and reviews, merged. */

import type { InfiniteData } from '@tanstack/react-query'
import { useCallback, useMemo } from 'react'
import type { Schemas } from './client'
import type { ReviewRow } from './review-filters'
import { reviewRows } from './reviews'
import { type ListRules, type RowPage, RowStore, selectRows, useRows } from './row-store'

export type Message = Schemas['Message']

export type TimelineItem =
  | { kind: 'message'; at: string; message: Message }
  | { kind: 'review' | 'trigger'; at: string; review: ReviewRow }

export type TimelinePage = { messages: RowPage; reviews: RowPage }
export type Timeline = InfiniteData<TimelinePage, string | undefined>

/** Every message that a timeline has shown or that has been read since. */
export const messageRows = new RowStore<Message>(
  message => message.messageId,
  message => message.updatedAt,
)

/** Stores the rows of a page. `started` is the number of the read. */
export function storeTimelinePage(
  { items, nextCursor }: { items: readonly TimelineItem[]; nextCursor?: string | null },
  started: number,
): TimelinePage {
  const messages = items.flatMap(item => (item.kind === 'message' ? [item.message] : []))
  const reviews = items.flatMap(item => (item.kind === 'message' ? [] : [item.review]))
  messageRows.addResponse(messages, started)
  reviewRows.addResponse(reviews, started)
  const page = {
    started,
    nextCursor: nextCursor ?? undefined,
    end: nextCursor ? items.at(-1)?.at : undefined,
  }
  return {
    messages: { ...page, ids: messages.map(messageRows.getId) },
    reviews: { ...page, ids: reviews.map(reviewRows.getId) },
  }
}

const getRules = <Row extends { sessionId: string; createdAt: string }>(
  sessionId: string,
): ListRules<Row> => ({
  match: row => (row.sessionId === sessionId ? 'yes' : 'no'),
  getPosition: row => row.createdAt,
})

/** Messages are sorted by their numbers, whatever their timestamps say. */
const selectMessages = (sessionId: string, pages: readonly TimelinePage[]): Message[] =>
  selectRows(
    messageRows,
    pages.map(page => page.messages),
    getRules<Message>(sessionId),
  ).sort((a, b) => b.number - a.number)

const selectReviews = (sessionId: string, pages: readonly TimelinePage[]): ReviewRow[] =>
  selectRows(
    reviewRows,
    pages.map(page => page.reviews),
    getRules<ReviewRow>(sessionId),
  )

/** The cached messages of a session, newest first. */
export const getMessages = (sessionId: string, timeline: Timeline | undefined): Message[] =>
  selectMessages(sessionId, timeline?.pages ?? [])

const NO_PAGES: readonly TimelinePage[] = []

/** The current content of a session's cached timeline. */
export function useTimelineItems(
  sessionId: string,
  timeline: Pick<Timeline, 'pages'> | undefined,
): { items: readonly TimelineItem[]; messages: readonly Message[]; reviews: readonly ReviewRow[] } {
  const pages = timeline?.pages ?? NO_PAGES
  const messages = useRows(
    messageRows,
    useCallback(() => selectMessages(sessionId, pages), [sessionId, pages]),
  )
  const reviews = useRows(
    reviewRows,
    useCallback(() => selectReviews(sessionId, pages), [sessionId, pages]),
  )
  const items = useMemo(() => mergeByTime(messages, reviews), [messages, reviews])
  return { items, messages, reviews }
}

/** Merges two lists, each in its own order, as the service does. */
export function mergeByTime(messages: readonly Message[], reviews: readonly ReviewRow[]): TimelineItem[] {
  const items: TimelineItem[] = []
  let next = 0
  for (const message of messages) {
    for (; next < reviews.length; next += 1) {
      const review = reviews[next] as ReviewRow
      if (review.createdAt <= message.createdAt) break
      items.push(toItem(review))
    }
    items.push({ kind: 'message', at: message.createdAt, message })
  }
  return [...items, ...reviews.slice(next).map(toItem)]
}

/** Only a trigger form is completed without being approved or rejected. */
const toItem = (review: ReviewRow): TimelineItem => ({
  kind: review.state === 'responded' && review.response === undefined ? 'trigger' : 'review',
  at: review.createdAt,
  review,
})

/** Only this many of the newest messages are checked for pending changes. */
const RECENT_MESSAGES = 40

/** Whether the text or the delivery state of the message may still change. */
export const isUnsettled = (message: Message): boolean =>
  message.state !== 'complete' ||
  (message.delivery !== undefined && !['succeeded', 'dead'].includes(message.delivery.status))

/** The ID of the message after which everything has to be fetched; undefined: start from the newest page. */
export function findLastSettled(messages: readonly Message[]): string | undefined {
  const newest = messages.slice(0, RECENT_MESSAGES)
  const oldestUnsettled = newest.findLastIndex(isUnsettled)
  return newest[oldestUnsettled + 1]?.messageId
}

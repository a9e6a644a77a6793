/** A cached timeline of a session, newest first, updated as single messages and reviews change. */

import type { InfiniteData } from '@tanstack/react-query'
import type { Schemas } from './client'
import type { ReviewRow } from './review-filters'
import type { ReviewChange } from './review-lists'

export type Message = Schemas['Message']

export type TimelineItem =
  | { kind: 'message'; at: string; message: Message }
  | { kind: 'review' | 'trigger'; at: string; review: ReviewRow }

export type TimelinePage = { items: TimelineItem[]; nextCursor?: string | null }
export type Timeline = InfiniteData<TimelinePage, unknown>

export const getItems = (timeline: Timeline): TimelineItem[] => timeline.pages.flatMap(page => page.items)

export const getMessages = (timeline: Timeline): Message[] =>
  getItems(timeline).flatMap(item => (item.kind === 'message' ? [item.message] : []))

/** The timeline with the current state of these messages. Messages older than the loaded pages come by paging. */
export function withMessages(timeline: Timeline, messages: readonly Message[]): Timeline {
  if (messages.length === 0) return timeline
  const fresh = new Map(messages.map(message => [message.messageId, message]))
  const replaced = mapItems(timeline, item => {
    if (item.kind !== 'message') return item
    const now = fresh.get(item.message.messageId)
    fresh.delete(item.message.messageId)
    return now === undefined || !isNewer(now, item.message) ? item : { ...item, message: now }
  })
  const added = [...fresh.values()]
    .filter(message => isLoadedRange(replaced, message.createdAt))
    .map(message => ({ kind: 'message' as const, at: message.createdAt, message }))
  return addItems(replaced, added)
}

/** A response that was overtaken must not replace a later one. */
function isNewer(now: Message, known: Message): boolean {
  if (now.updatedAt !== known.updatedAt) return now.updatedAt > known.updatedAt
  return now.state !== known.state || now.delivery?.status !== known.delivery?.status
}

/** The session's timeline with the current state of a review, or without it if it was deleted. */
export function withReview(timeline: Timeline, { reviewId, row }: ReviewChange): Timeline {
  const isThis = (item: TimelineItem) => item.kind !== 'message' && item.review.reviewId === reviewId
  const isKnown = getItems(timeline).some(isThis)
  if (row === null)
    return isKnown
      ? {
          ...timeline,
          pages: timeline.pages.map(page => ({ ...page, items: page.items.filter(item => !isThis(item)) })),
        }
      : timeline
  const item: TimelineItem = { kind: getItemKind(row), at: row.createdAt, review: row }
  if (isKnown) return mapItems(timeline, known => (isThis(known) ? item : known))
  return isLoadedRange(timeline, row.createdAt) ? addItems(timeline, [item]) : timeline
}

/** Only a trigger form is completed without being approved or rejected. */
const getItemKind = (row: ReviewRow): 'review' | 'trigger' =>
  row.state === 'responded' && row.response === undefined ? 'trigger' : 'review'

function mapItems(timeline: Timeline, change: (item: TimelineItem) => TimelineItem): Timeline {
  return {
    ...timeline,
    pages: timeline.pages.map(page => {
      const items = page.items.map(change)
      // An unchanged page stays the same object.
      return items.every((item, index) => item === page.items[index]) ? page : { ...page, items }
    }),
  }
}

/** Whether a time lies within the loaded pages. */
function isLoadedRange(timeline: Timeline, at: string): boolean {
  const isWhole = !timeline.pages.at(-1)?.nextCursor
  const oldest = getItems(timeline).at(-1)
  return isWhole || oldest === undefined || at >= oldest.at
}

function addItems(timeline: Timeline, added: readonly TimelineItem[]): Timeline {
  const [first, ...rest] = timeline.pages
  if (!first || added.length === 0) return timeline
  return {
    ...timeline,
    pages: [{ ...first, items: [...first.items, ...added].sort(compareNewestFirst) }, ...rest],
  }
}

function compareNewestFirst(a: TimelineItem, b: TimelineItem): number {
  // Messages are sorted by their numbers, whatever their timestamps say.
  if (a.kind === 'message' && b.kind === 'message') return b.message.number - a.message.number
  if (a.at === b.at) return 0
  return a.at < b.at ? 1 : -1
}

/** Only this many of the newest messages are checked for pending changes. */
const RECENT_MESSAGES = 40

/** Whether the text or the delivery state of the message may still change. */
export const isUnsettled = (message: Message): boolean =>
  message.state !== 'complete' ||
  (message.delivery !== undefined && !['succeeded', 'dead'].includes(message.delivery.status))

/** The cursor after which everything has to be fetched; undefined: start from the newest page. */
export function findLastSettled(timeline: Timeline): string | undefined {
  const newest = getMessages(timeline).slice(0, RECENT_MESSAGES)
  const oldestUnsettled = newest.findLastIndex(isUnsettled)
  return newest[oldestUnsettled + 1]?.messageId
}

/** Only the newest page; scrolling loads the rest. */
export const getNewestPage = (timeline: Timeline): Timeline =>
  timeline.pages.length <= 1
    ? timeline
    : { pages: timeline.pages.slice(0, 1), pageParams: timeline.pageParams.slice(0, 1) }

// @vitest-environment jsdom
import { QueryObserver } from '@tanstack/react-query'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { type LiveSessions, startLiveSessions } from './live-sessions'
import { RefetchingQueryClient } from './query-client'
import type { ReviewRow } from './review-filters'
import type { SessionList, SessionRow } from './session-lists'
import type { Timeline } from './session-timeline'
import { type Session, sessionKeys } from './sessions'

const review = (reviewId: string, sessionId: string) =>
  ({ reviewId, sessionId, agentId: 'agt_1', createdAt: '2026-11-15T10:00:00.000Z' }) as ReviewRow

const listOf = (...ids: string[]): SessionList => ({
  pages: [{ items: ids.map(sessionId => ({ sessionId, unread: 0 }) as SessionRow), nextCursor: null }],
  pageParams: [undefined],
})

const timelineOf = (...reviews: ReviewRow[]): Timeline => ({
  pages: [
    { items: reviews.map(each => ({ kind: 'review', at: each.createdAt, review: each })), nextCursor: null },
  ],
  pageParams: [undefined],
})

const CHATS = { chat: true } as const
const SEARCHED = { chat: true, q: 'words' } as const

let client: RefetchingQueryClient
let followed: LiveSessions
const isStale = (key: readonly unknown[]) => client.getQueryState(key)?.isInvalidated

beforeEach(() => {
  vi.useFakeTimers()
  client = new RefetchingQueryClient()
  followed = startLiveSessions(client, () => undefined)
})
afterEach(() => {
  followed.stop()
  client.clear()
  vi.useRealTimers()
})

describe('a message', () => {
  it('is known to be unread before the session is read again', () => {
    const key = sessionKeys.session('ses_1')
    client.setQueryData<Session>(key, { sessionId: 'ses_1', unread: 0, messageCount: 4 } as Session)
    const row = { sessionId: 'ses_1', unread: 2, messageCount: 6 } as SessionRow
    followed.handleMessage({ sessionId: 'ses_1', action: 'session.message', actorId: 'agt_1', row })
    expect(client.getQueryData(key)).toMatchObject({ unread: 2, messageCount: 6 })
    expect(isStale(key)).toBe(true)
  })

  it.each([
    ['for the first time', undefined],
    ['again', listOf('ses_1')],
  ])('has a list read once more that is being read %s', async (_, known) => {
    const key = sessionKeys.list(CHATS)
    if (known) client.setQueryData(key, known)
    let unread = 0
    const read = vi.fn(async () => {
      const answer = {
        ...listOf('ses_1'),
        pages: [{ items: [{ sessionId: 'ses_1', unread }], nextCursor: null }],
      }
      await new Promise(resolve => setTimeout(resolve, 50))
      return answer
    })
    new QueryObserver(client, { queryKey: key, queryFn: read, staleTime: 0 }).subscribe(() => undefined)
    unread = 1
    const row = { sessionId: 'ses_1', unread, messageCount: 1, active: true } as unknown as SessionRow
    followed.handleMessage({ sessionId: 'ses_1', action: 'session.message', actorId: 'agt_1', row })
    await vi.advanceTimersByTimeAsync(3_000)
    expect(client.getQueryData(key)).toMatchObject({ pages: [{ items: [{ unread: 1 }] }] })
  })
})

describe('a review', () => {
  it('has only those lists counted again that show its session', () => {
    client.setQueryData(sessionKeys.list(CHATS), listOf('ses_1', 'ses_2'))
    client.setQueryData(sessionKeys.list(SEARCHED), listOf('ses_2'))
    client.setQueryData(sessionKeys.list({}), listOf('ses_2'))
    followed.handleReviewChange({ reviewId: 'rev_1', row: review('rev_1', 'ses_1') })
    expect(isStale(sessionKeys.list(CHATS))).toBe(true)
    expect(isStale(sessionKeys.list(SEARCHED))).toBe(false)
    // The session may be new.
    expect(isStale(sessionKeys.list({}))).toBe(true)
  })

  it('has them counted seldom', () => {
    client.setQueryData(sessionKeys.list(CHATS), listOf('ses_1'))
    const change = { reviewId: 'rev_1', row: review('rev_1', 'ses_1') }
    followed.handleReviewChange(change)
    client.clear()
    client.setQueryData(sessionKeys.list(CHATS), listOf('ses_1'))
    followed.handleReviewChange(change)
    vi.advanceTimersByTime(2_000)
    expect(isStale(sessionKeys.list(CHATS))).toBe(false)
    vi.advanceTimersByTime(10_000)
    expect(isStale(sessionKeys.list(CHATS))).toBe(true)
  })

  it('that is deleted goes, and has its session counted again', () => {
    client.setQueryData(sessionKeys.timeline('ses_1'), timelineOf(review('rev_1', 'ses_1')))
    client.setQueryData(sessionKeys.session('ses_1'), {})
    client.setQueryData(sessionKeys.list(CHATS), listOf('ses_1'))
    followed.handleReviewChange({ reviewId: 'rev_1', row: null })
    expect(client.getQueryData(sessionKeys.timeline('ses_1'))).toEqual(timelineOf())
    expect(isStale(sessionKeys.session('ses_1'))).toBe(true)
    expect(isStale(sessionKeys.list(CHATS))).toBe(true)
  })

  it('that is deleted and was nowhere to be seen may belong to any session', () => {
    client.setQueryData(sessionKeys.list(SEARCHED), listOf('ses_1'))
    followed.handleReviewChange({ reviewId: 'rev_1', row: null })
    expect(isStale(sessionKeys.list(SEARCHED))).toBe(true)
  })

  it('that changed while a timeline was read is brought into it', () => {
    client.setQueryData(sessionKeys.timeline('ses_1'), timelineOf(review('rev_1', 'ses_1')))
    const now = { ...review('rev_1', 'ses_1'), title: 'Changed' }
    followed.reapplyChanges([{ reviewId: 'rev_1', row: now }])
    expect(client.getQueryData(sessionKeys.timeline('ses_1'))).toEqual(timelineOf(now))
  })
})

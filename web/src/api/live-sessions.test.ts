// @vitest-environment jsdom
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { api } from './client'
import { type LiveSessions, startLiveSessions } from './live-sessions'
import { RefetchingQueryClient } from './query-client'
import type { ReviewRow } from './review-filters'
import { type RowList, selectRows, startRead } from './row-store'
import { getSessionListRules, type SessionRow, sessionRows } from './session-lists'
import { sessionKeys, sessionListQuery } from './sessions'

const review = (reviewId: string, sessionId: string) =>
  ({ reviewId, sessionId, agentId: 'agt_1', createdAt: '2026-11-15T10:00:00.000Z' }) as ReviewRow

const session = (sessionId: string, more: Partial<SessionRow> = {}) =>
  ({
    sessionId,
    agentId: 'agt_1',
    activeAt: '2026-11-15T10:00:00.000Z',
    unread: 0,
    messageCount: 4,
    ...more,
  }) as SessionRow

const listOf = (...ids: string[]): RowList => {
  const started = startRead()
  const rows = ids.map(id => session(id))
  sessionRows.addResponse(rows, started)
  return { pages: [{ ids, nextCursor: undefined, started, end: undefined }], pageParams: [undefined] }
}

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
  sessionRows.clear()
  vi.restoreAllMocks()
  vi.useRealTimers()
})

const report = (row: SessionRow) =>
  followed.handleMessage({
    sessionId: row.sessionId,
    action: 'session.message',
    actorId: 'agt_1',
    row,
  })

describe('a message', () => {
  it('changes the row of its session before the session is read again', () => {
    const key = sessionKeys.session('ses_1')
    client.setQueryData(key, {})
    sessionRows.addChanges([session('ses_1')])
    report(session('ses_1', { unread: 2, messageCount: 6 }))
    expect(sessionRows.get('ses_1')).toMatchObject({ unread: 2, messageCount: 6 })
    expect(isStale(key)).toBe(true)
  })

  it('is not lost when a list is being read at that moment', async () => {
    let respond = (_: unknown) => {}
    vi.spyOn(api, 'GET').mockReturnValueOnce(new Promise(resolve => (respond = resolve)) as never)
    const reading = client.fetchInfiniteQuery(sessionListQuery(CHATS))
    await vi.advanceTimersByTimeAsync(0)
    report(session('ses_1', { unread: 1 }))
    respond({ data: { items: [session('ses_1')] } })
    const { pages } = await reading
    expect(selectRows(sessionRows, pages, getSessionListRules(CHATS))).toMatchObject([{ unread: 1 }])
  })

  it('has a search asked again, and other lists only if they may lack its session', () => {
    client.setQueryData(sessionKeys.list(SEARCHED), listOf('ses_1'))
    client.setQueryData(sessionKeys.list(CHATS), listOf('ses_1'))
    report(session('ses_1'))
    expect(isStale(sessionKeys.list(SEARCHED))).toBe(true)
    expect(isStale(sessionKeys.list(CHATS))).toBe(false)
  })

  it('has a list of chats asked again about a session without messages', () => {
    client.setQueryData(sessionKeys.list(CHATS), listOf('ses_1'))
    report(session('ses_2', { messageCount: 0 }))
    expect(isStale(sessionKeys.list(CHATS))).toBe(true)
  })
})

describe('a review', () => {
  it('has only those lists counted again that show its session', () => {
    client.setQueryData(sessionKeys.list(CHATS), listOf('ses_1', 'ses_2'))
    client.setQueryData(sessionKeys.list(SEARCHED), listOf('ses_2'))
    client.setQueryData(sessionKeys.list({}), listOf('ses_2'))
    followed.handleReviewChange(review('rev_1', 'ses_1'))
    expect(isStale(sessionKeys.list(CHATS))).toBe(true)
    expect(isStale(sessionKeys.list(SEARCHED))).toBe(false)
    // The session may be new.
    expect(isStale(sessionKeys.list({}))).toBe(true)
  })

  it('has them counted seldom', () => {
    client.setQueryData(sessionKeys.list(CHATS), listOf('ses_1'))
    const change = review('rev_1', 'ses_1')
    followed.handleReviewChange(change)
    client.clear()
    client.setQueryData(sessionKeys.list(CHATS), listOf('ses_1'))
    followed.handleReviewChange(change)
    vi.advanceTimersByTime(2_000)
    expect(isStale(sessionKeys.list(CHATS))).toBe(false)
    vi.advanceTimersByTime(10_000)
    expect(isStale(sessionKeys.list(CHATS))).toBe(true)
  })

  it('has its session read again', () => {
    client.setQueryData(sessionKeys.session('ses_1'), {})
    followed.handleReviewChange(review('rev_1', 'ses_1'))
    expect(isStale(sessionKeys.session('ses_1'))).toBe(true)
  })

  it('that is deleted and was nowhere to be seen may belong to any session', () => {
    client.setQueryData(sessionKeys.list(SEARCHED), listOf('ses_1'))
    followed.handleReviewChange(undefined)
    expect(isStale(sessionKeys.list(SEARCHED))).toBe(true)
  })
})

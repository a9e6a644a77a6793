import { beforeEach, describe, expect, it } from 'vitest'
import { type RowPage, readPage, selectRows } from './row-store'
import {
  getActivity,
  getSessionListRules,
  type SessionFilters,
  type SessionRow,
  sessionRows,
} from './session-lists'

const session = (sessionId: string, minute: number, more: Partial<SessionRow> = {}) =>
  ({
    sessionId,
    agentId: 'agt_1',
    activeAt: `2026-11-15T10:0${minute}:00.000Z`,
    messageCount: 1,
    unread: 0,
    ...more,
  }) as SessionRow

const read = (items: SessionRow[], nextCursor?: string) =>
  readPage(sessionRows, getActivity, async () => ({ items, nextCursor: nextCursor ?? null }))
const select = (page: RowPage, filters: SessionFilters = {}) =>
  selectRows(sessionRows, [page], getSessionListRules(filters))
const ids = (page: RowPage, filters?: SessionFilters) => select(page, filters).map(row => row.sessionId)

beforeEach(() => sessionRows.clear())

describe('a list of sessions', () => {
  it('starts with the most recently active one', async () => {
    const page = await read([session('a', 5), session('b', 4), session('c', 3)])
    sessionRows.addChanges([session('c', 6), session('d', 4)])
    expect(ids(page)).toEqual(['c', 'a', 'b', 'd'])
  })

  it('leaves out what is beyond the last page', async () => {
    const page = await read([session('a', 5), session('b', 4)], 'cursor')
    sessionRows.addChanges([session('c', 3)])
    expect(ids(page)).toEqual(['a', 'b'])
    sessionRows.addChanges([session('c', 6)])
    expect(ids(page)).toEqual(['c', 'a', 'b'])
  })

  it('stays in order when only the name or the unread count changes', async () => {
    const page = await read([session('a', 5), session('b', 4)])
    sessionRows.addChanges([session('b', 4, { unread: 2 })])
    expect(ids(page)).toEqual(['a', 'b'])
    expect(select(page)[1]?.unread).toBe(2)
  })

  it('has no sessions of other agents', async () => {
    const page = await read([session('a', 5)])
    sessionRows.addChanges([session('b', 6, { agentId: 'agt_2' })])
    expect(ids(page, { agentId: 'agt_1' })).toEqual(['a'])
  })

  it('does not guess what a search finds, and which sessions without messages are chats', async () => {
    const page = await read([session('a', 5)])
    sessionRows.addChanges([session('b', 6, { messageCount: 0 }), session('a', 7)])
    expect(ids(page, { q: 'word' })).toEqual(['a'])
    expect(ids(page, { chat: true })).toEqual(['a'])
    expect(ids(page)).toEqual(['a', 'b'])
  })
})

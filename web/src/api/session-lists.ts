/** A cached list of sessions, newest activity first, updated as single sessions change. */

import type { InfiniteData } from '@tanstack/react-query'
import type { Schemas } from './client'

export type SessionRow = Schemas['SessionRow']
export type SessionFilters = { agentId?: string; q?: string; chat?: true }
export type SessionPage = { items: SessionRow[]; nextCursor?: string | null }
export type SessionList = InfiniteData<SessionPage, unknown>

/** The list with the current state of a session. Undefined: only the service can tell. */
export function withSession(
  list: SessionList,
  filters: SessionFilters,
  row: SessionRow,
): SessionList | undefined {
  if (filters.q) return undefined
  if (filters.agentId !== undefined && filters.agentId !== row.agentId) return list
  const known = list.pages.flatMap(page => page.items).find(item => item.sessionId === row.sessionId)
  // The row of a session without messages doesn't say whether it was started as a chat.
  if (known === undefined && filters.chat && row.messageCount === 0) return undefined
  if (known && known.activeAt === row.activeAt)
    return mapPages(list, items => items.map(item => (item === known ? row : item)))
  const without = mapPages(list, items => items.filter(item => item.sessionId !== row.sessionId))
  const at = without.pages.findIndex(
    page => !page.nextCursor || page.items.some(item => item.activeAt <= row.activeAt),
  )
  if (at === -1) return without
  return mapPages(without, (items, index) => {
    if (index !== at) return items
    const place = items.findIndex(item => item.activeAt <= row.activeAt)
    return place === -1 ? [...items, row] : items.toSpliced(place, 0, row)
  })
}

function mapPages(
  list: SessionList,
  change: (items: SessionRow[], index: number) => SessionRow[],
): SessionList {
  return { ...list, pages: list.pages.map((page, index) => ({ ...page, items: change(page.items, index) })) }
}

/** Lists of sessions, newest activity first. */

import type { Schemas } from './client'
import { type ListRules, RowStore } from './row-store'

export type SessionRow = Schemas['SessionRow']
export type SessionFilters = { agentId?: string; q?: string; chat?: true }

/** The row of every session that a list has shown or the live stream has reported. */
export const sessionRows = new RowStore<SessionRow>(row => row.sessionId)

/** A session without the details that only its own page shows. */
export const toSessionRow = (session: Schemas['Session']): SessionRow => ({
  sessionId: session.sessionId,
  name: session.name,
  agentId: session.agentId,
  agentName: session.agentName,
  createdAt: session.createdAt,
  activeAt: session.activeAt,
  messageCount: session.messageCount,
  unread: session.unread,
  ...(session.lastMessage && { lastMessage: session.lastMessage }),
  openReviews: session.openReviews,
})

export const getActivity = (row: SessionRow): string => row.activeAt

/** How to select the rows of a list. */
export const getSessionListRules = (filters: SessionFilters): ListRules<SessionRow> => ({
  match: row => {
    if (filters.agentId !== undefined && filters.agentId !== row.agentId) return 'no'
    // The row of a session without messages doesn't say whether it was started as a chat.
    return filters.q || (filters.chat && row.messageCount === 0) ? 'unknown' : 'yes'
  },
  getPosition: getActivity,
})

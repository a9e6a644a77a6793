/** Which sessions the list shows and what is open, as query parameters of the page. */

import type { SessionFilters } from '@/api/sessions'

export type ChatSearch = {
  agent?: string
  q?: string
  /** Also sessions without messages: every review request has a session. */
  all?: true
  /** The agent of a new chat. */
  new?: string
  /** The review that is open inside the session. */
  review?: string
}

const text = (value: unknown): string | undefined => {
  if (typeof value === 'number') return String(value)
  return typeof value === 'string' && value ? value.slice(0, 500) : undefined
}

/** Reads a URL from any source: unknown or malformed parameters are dropped. */
export function readChatSearch(raw: Record<string, unknown>): ChatSearch {
  const search: ChatSearch = {
    agent: text(raw.agent),
    q: text(raw.q),
    all: raw.all === true || raw.all === 'true' ? true : undefined,
    new: text(raw.new),
    review: text(raw.review),
  }
  return Object.fromEntries(Object.entries(search).filter(([, value]) => value !== undefined))
}

/** The query parameters of `GET /sessions`. */
export const getFilters = ({ agent, q, all }: ChatSearch): SessionFilters => ({
  ...(agent !== undefined && { agentId: agent }),
  ...(q?.trim() && { q: q.trim() }),
  ...(!all && { chat: true }),
})

/** The parameters of the list, without what is open next to it. */
export const listSearch = ({ agent, q, all }: ChatSearch): ChatSearch => ({
  ...(agent !== undefined && { agent }),
  ...(q !== undefined && { q }),
  ...(all && { all }),
})

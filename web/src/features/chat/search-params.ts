/** Which sessions the list shows, and what is open, as it stands in the page's address. */

import type { SessionFilters } from '@/api/sessions'

export type ChatSearch = {
  agent?: string
  q?: string
  /** Sessions without a word too: every request for a review has one. */
  all?: true
  /** The agent with which a chat is about to begin. */
  new?: string
  /** The review that is open inside the session. */
  review?: string
}

const text = (value: unknown): string | undefined => {
  if (typeof value === 'number') return String(value)
  return typeof value === 'string' && value ? value.slice(0, 500) : undefined
}

/** Reads an address of any origin: what is unknown or malformed is left out. */
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

/** What `GET /sessions` is asked for. */
export const getFilters = ({ agent, q, all }: ChatSearch): SessionFilters => ({
  ...(agent !== undefined && { agentId: agent }),
  ...(q?.trim() && { q: q.trim() }),
  ...(!all && { chat: true }),
})

/** The list's part of an address, without what is open beside it. */
export const listSearch = ({ agent, q, all }: ChatSearch): ChatSearch => ({
  ...(agent !== undefined && { agent }),
  ...(q !== undefined && { q }),
  ...(all && { all }),
})

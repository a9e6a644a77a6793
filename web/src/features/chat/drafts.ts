/** What somebody has begun to write in each session, kept by this browser until it is sent. */

import type { Attached } from '@/api/sessions'

export type ChatDraft = { text: string; attachments: readonly Attached[] }

export const EMPTY_DRAFT: ChatDraft = { text: '', attachments: [] }
const SHELF = 'signoff.chat-drafts'
/** The oldest are forgotten. */
const MOST_KEPT = 50

const place = (person: string) => `${SHELF}.${person}`

function readAll(person: string): [string, ChatDraft][] {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(place(person)) ?? '[]')
    return Array.isArray(kept) ? (kept as [string, ChatDraft][]) : []
  } catch {
    return []
  }
}

export const readDraft = (person: string, sessionId: string): ChatDraft =>
  readAll(person).find(([id]) => id === sessionId)?.[1] ?? EMPTY_DRAFT

export function keepDraft(person: string, sessionId: string, draft: ChatDraft): void {
  const others = readAll(person).filter(([id]) => id !== sessionId)
  const isEmpty = draft.text === '' && draft.attachments.length === 0
  const all = isEmpty ? others : [...others, [sessionId, draft] as [string, ChatDraft]].slice(-MOST_KEPT)
  try {
    if (all.length === 0) localStorage.removeItem(place(person))
    else localStorage.setItem(place(person), JSON.stringify(all))
  } catch {
    // The storage is full or switched off: the draft lasts as long as the page.
  }
}

/** Unsent messages of each session, kept until they are sent, for as long as the tab is open. */

import type { AttachedFile } from '@/api/outgoing-messages'
import { throttle } from '@/lib/throttle'

export type ChatDraft = { text: string; attachments: readonly AttachedFile[] }

export const EMPTY_DRAFT: ChatDraft = { text: '', attachments: [] }
const STORAGE_PREFIX = 'signoff.chat-draft'
const WRITE_INTERVAL = 500

const getKey = (person: string, sessionId: string) => `${STORAGE_PREFIX}.${person}.${sessionId}`

/** Drafts that aren't stored yet, by place. */
const unsavedDrafts = new Map<string, ChatDraft>()

function writeAll(): void {
  for (const [place, draft] of unsavedDrafts) write(place, draft)
  unsavedDrafts.clear()
}

function write(place: string, draft: ChatDraft): void {
  const isEmpty = draft.text === '' && draft.attachments.length === 0
  try {
    if (isEmpty) sessionStorage.removeItem(place)
    else sessionStorage.setItem(place, JSON.stringify(draft))
  } catch {
    // The storage is full or disabled: the draft lasts as long as the page.
  }
}

const writeSoon = throttle(writeAll, WRITE_INTERVAL)
if (typeof window !== 'undefined') window.addEventListener('pagehide', writeAll)

export function readDraft(person: string, sessionId: string): ChatDraft {
  writeAll()
  try {
    const kept: unknown = JSON.parse(sessionStorage.getItem(getKey(person, sessionId)) ?? 'null')
    return isDraft(kept) ? kept : EMPTY_DRAFT
  } catch {
    return EMPTY_DRAFT
  }
}

export function storeDraft(person: string, sessionId: string, draft: ChatDraft): void {
  unsavedDrafts.set(getKey(person, sessionId), draft)
  writeSoon()
}

const isDraft = (value: unknown): value is ChatDraft =>
  typeof value === 'object' &&
  value !== null &&
  'text' in value &&
  typeof value.text === 'string' &&
  'attachments' in value &&
  Array.isArray(value.attachments)

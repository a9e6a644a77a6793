/** The member's unsent message in each session. */

import type { AttachedFile } from '@/api/outgoing-messages'
import { getOwnKey, readFromTab, storeInTab } from '@/lib/tab-storage'

export type ChatDraft = { text: string; attachments: readonly AttachedFile[] }

export const EMPTY_DRAFT: ChatDraft = { text: '', attachments: [] }

const getKey = (place: string) => getOwnKey(`chat-draft.${place}`)

/** `place`: the ID of the session, or a name for one that hasn't started. */
export function readDraft(place: string): ChatDraft {
  const stored = readFromTab<Partial<ChatDraft>>(getKey(place))
  return typeof stored?.text === 'string' && Array.isArray(stored.attachments)
    ? (stored as ChatDraft)
    : EMPTY_DRAFT
}

export function storeDraft(place: string, draft: ChatDraft): void {
  const isEmpty = draft.text === '' && draft.attachments.length === 0
  storeInTab(getKey(place), isEmpty ? null : draft)
}

/** What was typed into a form, for as long as the tab is open: also after it was loaded anew. */

import type { JsonObject } from '@/form'

/** Where it is kept. A tab outlives who is signed in in it, so a member's is kept under who typed it. */
export type DraftKey = { person: string; formId: string } | { token: string }

const getStorageKey = (as: DraftKey) =>
  'token' in as ? `signoff.public-trigger.${as.token}` : `signoff.trigger.${as.person}.${as.formId}`

export function readDraft(as: DraftKey): JsonObject | null {
  try {
    const read: unknown = JSON.parse(sessionStorage.getItem(getStorageKey(as)) ?? 'null')
    return typeof read === 'object' && read !== null && !Array.isArray(read) ? (read as JsonObject) : null
  } catch {
    return null
  }
}

export function storeDraft(as: DraftKey, data: JsonObject | null): void {
  try {
    if (data === null) sessionStorage.removeItem(getStorageKey(as))
    else sessionStorage.setItem(getStorageKey(as), JSON.stringify(data))
  } catch {
    // Full or switched off: it is kept as long as the page is.
  }
}

/** The unsent values of a trigger form, kept for as long as the tab is open, also across a reload. */

import type { JsonObject } from '@/form'

/** The storage key. A tab outlives a sign-in, so a member's draft is stored under their ID. */
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
    // The storage is full or disabled: the draft lasts as long as the page.
  }
}

/**
 * What this tab keeps for its person: unsaved text survives a reload, a crash and a sign-in that ended. Each entry is under
 * the ID of the person who typed it, since a tab can outlive their sign-in: whoever signs in next never reads it.
 */

let currentUserId: string | null = null

/** Says who is signed in. Until then nothing is read or kept for members. */
export function setTabUser(userId: string): void {
  currentUserId = userId
}

/** Where the signed-in person's entry lies; null while nobody is. */
export const getOwnKey = (name: string): string | null => currentUserId && `signoff.${name}.${currentUserId}`

export function readFromTab<T>(key: string | null): T | null {
  if (key === null) return null
  try {
    return JSON.parse(sessionStorage.getItem(key) ?? 'null') as T | null
  } catch {
    // Switched off, or not ours.
    return null
  }
}

/** Null removes what is there. */
export function storeInTab(key: string | null, value: unknown): void {
  if (key === null) return
  try {
    if (value === null) sessionStorage.removeItem(key)
    else sessionStorage.setItem(key, JSON.stringify(value))
  } catch {
    // Full or switched off: it lasts as long as the page.
  }
}

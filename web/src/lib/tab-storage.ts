/**
 * What this tab stores for its member: unsaved text survives a reload, a crash and a sign-in that ended. Each entry is
 * under the ID of its author, because a tab can outlive their sign-in: the next member never reads it.
 */

let currentUserId: string | null = null

/** Sets the signed-in member. Until then nothing is read or stored for members. */
export function setTabUser(userId: string): void {
  currentUserId = userId
}

/** The storage key of the member's entry; null while nobody is signed in. */
export const getOwnKey = (name: string): string | null => currentUserId && `signoff.${name}.${currentUserId}`

export function readFromTab<T>(key: string | null): T | null {
  if (key === null) return null
  try {
    return JSON.parse(sessionStorage.getItem(key) ?? 'null') as T | null
  } catch {
    // The storage is disabled, or the entry isn't ours.
    return null
  }
}

/** The keys of all entries that start like this. */
export function listTabKeys(prefix: string): string[] {
  try {
    return Object.keys(sessionStorage).filter(key => key.startsWith(prefix))
  } catch {
    // The storage is disabled.
    return []
  }
}

/** Null removes the entry. */
export function storeInTab(key: string | null, value: unknown): void {
  if (key === null) return
  try {
    if (value === null) sessionStorage.removeItem(key)
    else sessionStorage.setItem(key, JSON.stringify(value))
  } catch {
    // The storage is full or disabled: the value lasts as long as the page.
  }
}

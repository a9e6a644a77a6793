/**
 * What this tab keeps for its person: unsaved text survives a reload, a crash and a sign-in that ended. Each entry is under
 * the ID of the person who typed it, since a tab can outlive their sign-in: whoever signs in next never reads it.
 */

let person: string | null = null

/** Says who is signed in. Until then nothing is read or kept for members. */
export function setTabOwner(userId: string): void {
  person = userId
}

/** Where the signed-in person's entry lies; null while nobody is. */
export const ownPlace = (name: string): string | null => person && `signoff.${name}.${person}`

export function readFromTab<T>(place: string | null): T | null {
  if (place === null) return null
  try {
    return JSON.parse(sessionStorage.getItem(place) ?? 'null') as T | null
  } catch {
    // Switched off, or not ours.
    return null
  }
}

/** Null removes what is there. */
export function keepInTab(place: string | null, value: unknown): void {
  if (place === null) return
  try {
    if (value === null) sessionStorage.removeItem(place)
    else sessionStorage.setItem(place, JSON.stringify(value))
  } catch {
    // Full or switched off: it lasts as long as the page.
  }
}

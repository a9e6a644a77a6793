/** What was typed into a form, for as long as the tab is open: also after it was loaded anew. */

import type { JsonObject } from '@/form'

const placeOf = (name: string) => `signoff.trigger.${name}`

export function readKept(name: string): JsonObject | null {
  try {
    const read: unknown = JSON.parse(sessionStorage.getItem(placeOf(name)) ?? 'null')
    return typeof read === 'object' && read !== null && !Array.isArray(read) ? (read as JsonObject) : null
  } catch {
    return null
  }
}

export function keep(name: string, data: JsonObject | null): void {
  try {
    if (data === null) sessionStorage.removeItem(placeOf(name))
    else sessionStorage.setItem(placeOf(name), JSON.stringify(data))
  } catch {
    // Full or switched off: it is kept as long as the page is.
  }
}

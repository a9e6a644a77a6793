const session = Math.random().toString(36).slice(2, 8)
let last = 0

/** A key that no other entry has, also not one from before the page was loaded. */
export function newKey(): string {
  last += 1
  return `${session}${last}`
}

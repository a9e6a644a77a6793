const session = Math.random().toString(36).slice(2, 8)
let last = 0

/** A unique key, also among keys from before a reload. */
export function createKey(): string {
  last += 1
  return `${session}${last}`
}

export type Shift = {
  /** By how many rows the first visible row moved down. */
  rows: number
  /** How many new rows there are above it. */
  added: number
}

/**
 * What changed above the first visible row, so that the scroll position can be kept. If that row is gone, the next
 * remaining one counts.
 */
export function getShiftAbove(before: readonly string[], after: readonly string[], top: number): Shift {
  const places = new Map(after.map((id, index) => [id, index]))
  for (let index = top; index < before.length; index += 1) {
    const place = places.get(before[index] as string)
    if (place === undefined) continue
    const known = new Set(before)
    const added = after.slice(0, place).filter(id => !known.has(id)).length
    return { rows: place - top, added }
  }
  return { rows: 0, added: 0 }
}

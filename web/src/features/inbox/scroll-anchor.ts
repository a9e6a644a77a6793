export type Shift = {
  /** By how many rows the row at the top of the window moved down. */
  rows: number
  /** How many rows above it were not there before. */
  added: number
}

/**
 * What changed above the row at the top of the window, so that the window can stay where it is. If that row is gone, the
 * next one that is still there counts.
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

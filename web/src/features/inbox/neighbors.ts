export type Neighbors = {
  /** The position of the open review in the list, or its last one if it left the list. */
  index: number
  previous: string | undefined
  next: string | undefined
}

/**
 * The reviews before and after a review in a list. If it has left the list, what came after it is at `lastIndex` now.
 * Undefined if it was never in the list.
 */
export function findNeighbors(
  ids: readonly string[],
  reviewId: string,
  lastIndex: number | undefined,
): Neighbors | undefined {
  const index = ids.indexOf(reviewId)
  if (index !== -1) return { index, previous: ids[index - 1], next: ids[index + 1] }
  if (lastIndex === undefined) return undefined
  const place = Math.min(lastIndex, ids.length)
  return { index: place, previous: ids[place - 1], next: ids[place] }
}

export type Neighbors = {
  /** Where the open review stands in the list, or stood before it left. */
  index: number
  previous: string | undefined
  next: string | undefined
}

/**
 * What comes before and after a review in a list. One that has left the list stood at `lastIndex`, where what came after it
 * is now. Undefined when it never was in the list.
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

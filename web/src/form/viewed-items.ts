/** Which items of a list or rows of a table have been on screen. */

import { useLayoutEffect, useState } from 'react'
import type { Json } from './types'

export type ViewedItems = { of: Json; keys: ReadonlySet<string> }

/**
 * Marks what is shown now as viewed. New content from the agent starts over, because a row's position says nothing
 * about its values.
 */
export function markViewed(viewed: ViewedItems, suggested: Json, shown: readonly string[]): ViewedItems {
  const before = viewed.of === suggested ? viewed.keys : new Set<string>()
  if (viewed.of === suggested && shown.every(key => before.has(key))) return viewed
  return { of: suggested, keys: new Set([...before, ...shown]) }
}

/** The indexes of items that haven't been on screen. */
export const findUnviewed = (viewed: ViewedItems, suggested: Json, keys: readonly string[]): number[] =>
  keys.flatMap((key, index) => (viewed.of === suggested && viewed.keys.has(key) ? [] : [index]))

export function useUnviewedItems(
  keys: readonly string[],
  start: number,
  end: number,
  suggested: Json,
): number[] {
  const [viewed, setViewed] = useState<ViewedItems>({ of: suggested, keys: new Set() })
  const shown = keys.slice(start, end).join(' ')
  useLayoutEffect(
    () => setViewed(before => markViewed(before, suggested, shown === '' ? [] : shown.split(' '))),
    [suggested, shown],
  )
  return findUnviewed(viewed, suggested, keys)
}

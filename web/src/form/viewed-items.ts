/** Which items of a list or rows of a table have been on screen. */

import { useLayoutEffect, useState } from 'react'
import type { Json } from './types'

export type ViewedItems = { of: Json; keys: ReadonlySet<string> }

/** Adds what is shown now. Other content from the agent starts over: a row's place says nothing about its values. */
export function markViewed(viewed: ViewedItems, suggested: Json, shown: readonly string[]): ViewedItems {
  const before = viewed.of === suggested ? viewed.keys : new Set<string>()
  if (viewed.of === suggested && shown.every(key => before.has(key))) return viewed
  return { of: suggested, keys: new Set([...before, ...shown]) }
}

/** The indexes of what has not been on screen. */
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

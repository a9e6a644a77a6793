import { useMemo, useRef, useState } from 'react'
import { isTextual } from './textual'
import type { Json } from './types'
import {
  getChildFields,
  getItems,
  getLockedValues,
  getMaxItems,
  getOnlyChild,
  type RepeatedField,
  toSuggestedFormat,
} from './value-types/repeated'

let keyCount = 0
const createKey = (): string => {
  keyCount += 1
  return `item-${keyCount}`
}

/** The actions for items. They stay the same for the life of the editor, so that changing one item renders one item. */
export type ItemActions = {
  replace: (index: number, item: Json) => void
  add: () => void
  remove: (indexes: readonly number[]) => void
  move: (from: number, to: number) => void
  /** Moves an item to the position of another one, both by key. */
  moveTo: (from: string, to: string) => void
}

export type Items = {
  items: readonly Json[]
  /** A key for each item, which stays with it wherever it moves. */
  keys: readonly string[]
  mayAdd: boolean
  mayRemove: boolean
  mayMove: boolean
  /** Whether the agent sent the item, judging by the values that can't be edited. */
  isKnown: (item: Json) => boolean
  actions: ItemActions
}

type LatestItems = {
  field: RepeatedField
  items: readonly Json[]
  keys: readonly string[]
  suggested: Json
  onChange: (value: Json) => void
}

/** The items of a list or table and all actions that its settings allow. */
export function useItems(
  field: RepeatedField,
  value: Json,
  suggested: Json,
  readOnly: boolean,
  onChange: (value: Json) => void,
): Items {
  const items = getItems(value)
  const [storedKeys, setKeys] = useState<readonly string[]>(() => items.map(createKey))
  let keys = storedKeys
  if (storedKeys.length !== items.length) {
    // The value was changed elsewhere: reverted, or replaced by a draft.
    keys = items.map((_, index) => storedKeys[index] ?? createKey())
    setKeys(keys)
  }
  const latest = useRef<LatestItems>({ field, items, keys, suggested, onChange })
  latest.current = { field, items, keys, suggested, onChange }
  const actions = useMemo(() => createActions(latest, setKeys), [])
  const known = useMemo(
    () => new Set(getItems(suggested).map(item => getLockedValues(field, item))),
    [field, suggested],
  )
  return {
    items,
    keys,
    mayAdd: !readOnly && field.allowAdd && items.length < (field.maxItems ?? getMaxItems(field)),
    mayRemove: !readOnly && field.allowRemove,
    mayMove: !readOnly && field.allowReorder && items.length > 1,
    isKnown: item => known.has(getLockedValues(field, item)),
    actions,
  }
}

function createActions(
  latest: { current: LatestItems },
  setKeys: (keys: readonly string[]) => void,
): ItemActions {
  const set = (items: Json[], keys: string[]) => {
    setKeys(keys)
    latest.current.onChange(items)
  }
  const move = (from: number, to: number) => {
    const { items, keys } = latest.current
    if (from < 0 || to < 0 || to >= items.length || from === to) return
    set(moveItem(items, from, to), moveItem(keys, from, to))
  }
  return {
    replace: (index, item) => {
      const { field, items, suggested, onChange } = latest.current
      onChange(items.with(index, toSuggestedFormat(field, item, suggested)))
    },
    add: () => {
      const { field, items, keys } = latest.current
      set([...items, createItem(field)], [...keys, createKey()])
    },
    remove: indexes => {
      const { items, keys } = latest.current
      const removed = new Set(indexes)
      set(
        items.filter((_, index) => !removed.has(index)),
        keys.filter((_, index) => !removed.has(index)),
      )
    },
    move,
    moveTo: (from, to) => move(latest.current.keys.indexOf(from), latest.current.keys.indexOf(to)),
  }
}

/** A new item with the default values of its fields. */
function createItem(field: RepeatedField): Json {
  const only = getOnlyChild(field)
  if (only !== null && isTextual(only)) return only.default ?? ''
  return Object.fromEntries(
    getChildFields(field).flatMap(child => (child.default == null ? [] : [[child.id, child.default]])),
  )
}

export function moveItem<T>(all: readonly T[], from: number, to: number): T[] {
  const [taken] = all.slice(from, from + 1)
  const rest = all.toSpliced(from, 1)
  return taken === undefined ? rest : rest.toSpliced(to, 0, taken)
}

import type { EditorProps } from '../editor-props'
import type { FieldConfig, FieldError, FieldOf, Json } from '../types'
import type { ItemActions, Items } from '../use-items'
import { getItems } from '../value-types/repeated'
import { getItemIndex } from './use-pages'

/** The props of a card, tile or row. They stay the same while other items change, so that those don't render again. */
export type ItemProps<F extends FieldOf<'list' | 'table'>> = {
  field: F
  config: FieldConfig
  readOnly: boolean
  itemKey: string
  index: number
  item: Json
  suggestedItem: Json
  isKnown: boolean
  isLast: boolean
  mayMove: boolean
  mayRemove: boolean
  actions: ItemActions
  /** The path of the item in errors. */
  place: string
  errors: readonly FieldError[]
}

const NO_ERRORS: readonly FieldError[] = []

/** The items of a page with their props. */
export function getPageItems<F extends FieldOf<'list' | 'table'>>(
  editor: EditorProps<F>,
  items: Items,
  start: number,
  end: number,
): ItemProps<F>[] {
  const before = getItems(editor.suggested)
  const errors = new Map<number, FieldError[]>()
  for (const error of editor.errors) {
    const index = getItemIndex(error.path, editor.place)
    if (index !== null) errors.set(index, [...(errors.get(index) ?? []), error])
  }
  return items.keys.slice(start, end).map((itemKey, offset) => {
    const index = start + offset
    const item = items.items[index] ?? null
    return {
      field: editor.field,
      config: editor.config,
      readOnly: editor.readOnly,
      itemKey,
      index,
      item,
      suggestedItem: before[index] ?? null,
      isKnown: items.isKnown(item),
      isLast: index === items.items.length - 1,
      mayMove: items.mayMove,
      mayRemove: items.mayRemove,
      actions: items.actions,
      place: `${editor.place}[${index}]`,
      errors: errors.get(index) ?? NO_ERRORS,
    }
  })
}

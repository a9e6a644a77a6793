/** The value shapes, one for each field type. They match `src/signoff/forms/fields`. */

import type { AnyField, FieldConfig, FieldOf, FieldTypeName, Json } from '../types'
import { checkShaped, ITEM_SHAPES } from './items'
import { repeated } from './repeated'
import type { Fault, Shape } from './shape'
import { prose } from './texts'

const SHAPES: { [Type in FieldTypeName]: Shape<FieldOf<Type>> } = {
  ...ITEM_SHAPES,
  label: prose,
  list: repeated,
  table: repeated,
}

export const shapeOf = (field: AnyField): Shape => SHAPES[field.type] as Shape

const UNTRACKED = new Set<FieldTypeName>([
  'boolean',
  'buttons',
  'checkboxes',
  'dropdown',
  'image',
  'video',
  'audio',
  'file',
  'label',
])

/** Whether `responseValues` includes `wasEdited`. */
export const tracksEdits = (field: AnyField): boolean => !UNTRACKED.has(field.type)

/** Reports the errors that keep a value from being approved. */
export const checkValue = (
  field: AnyField,
  value: Json,
  config: FieldConfig,
  where: string,
  faults: Fault[],
) => checkShaped(shapeOf(field), field, value, config, where, faults)

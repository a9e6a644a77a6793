/** The value types, one for each field type. They match `src/signoff/forms/fields`. */

import type { AnyField, FieldConfig, FieldOf, FieldTypeName, Json } from '../types'
import { checkTypedValue, ITEM_VALUE_TYPES } from './items'
import { repeated } from './repeated'
import { prose } from './texts'
import type { ValueError, ValueType } from './value-type'

const VALUE_TYPES: { [Type in FieldTypeName]: ValueType<FieldOf<Type>> } = {
  ...ITEM_VALUE_TYPES,
  label: prose,
  list: repeated,
  table: repeated,
}

export const getValueType = (field: AnyField): ValueType => VALUE_TYPES[field.type] as ValueType

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
  errors: ValueError[],
) => checkTypedValue(getValueType(field), field, value, config, where, errors)

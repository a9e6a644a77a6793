/** The value types, one for each field type. They match `src/signoff/forms/fields`. */

import { FIELD_TYPES } from '@/api/field-types'
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

/** Whether `responseValues` includes `wasEdited`. */
export const tracksEdits = (field: AnyField): boolean => FIELD_TYPES[field.type].tracksEdits

/** Reports the errors that keep a value from being approved. */
export const checkValue = (
  field: AnyField,
  value: Json,
  config: FieldConfig,
  where: string,
  errors: ValueError[],
) => checkTypedValue(getValueType(field), field, value, config, where, errors)

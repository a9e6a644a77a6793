/** The types that an item can have: all except lists, tables and labels. */

import type { AnyField, ChildField, FieldConfig, FieldOf, Json } from '../types'
import { choice } from './choices'
import { date, datetime } from './date-times'
import { json } from './json'
import { media } from './media'
import { boolean, number } from './numbers'
import { email, link, prose } from './texts'
import type { ValueError, ValueType } from './value-type'

export const ITEM_VALUE_TYPES: { [Type in ChildField['type']]: ValueType<FieldOf<Type>> } = {
  text: prose,
  longText: prose,
  markdown: prose,
  richText: prose,
  code: prose,
  email,
  link,
  number,
  rating: number,
  boolean,
  date,
  datetime,
  json,
  buttons: choice,
  checkboxes: choice,
  dropdown: choice,
  image: media,
  video: media,
  audio: media,
  file: media,
}

export const getItemValueType = (child: ChildField): ValueType => ITEM_VALUE_TYPES[child.type] as ValueType

/** Reports the errors that keep a value of this type from being approved. */
export function checkTypedValue(
  type: ValueType,
  field: AnyField,
  value: Json,
  config: FieldConfig,
  where: string,
  errors: ValueError[],
) {
  if (value === null || type.isEmpty(value)) {
    if (field.required) errors.push({ path: where, code: 'required' })
    return
  }
  type.check?.(field, value, config, where, errors)
}

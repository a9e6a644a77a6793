/** The types that an item can have: all except lists, tables and labels. */

import type { AnyField, ChildField, FieldConfig, FieldOf, Json } from '../types'
import { choice } from './choices'
import { json } from './json'
import { media } from './media'
import { date, datetime } from './moments'
import { boolean, number } from './numbers'
import type { Fault, Shape } from './shape'
import { email, link, prose } from './texts'

export const ITEM_SHAPES: { [Type in ChildField['type']]: Shape<FieldOf<Type>> } = {
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

export const itemShape = (child: ChildField): Shape => ITEM_SHAPES[child.type] as Shape

/** Reports the errors that keep a value of this shape from being approved. */
export function checkShaped(
  shape: Shape,
  field: AnyField,
  value: Json,
  config: FieldConfig,
  where: string,
  faults: Fault[],
) {
  if (value === null || shape.isEmpty(value)) {
    if (field.required) faults.push({ path: where, code: 'required' })
    return
  }
  shape.check?.(field, value, config, where, faults)
}

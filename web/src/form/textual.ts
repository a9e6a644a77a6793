import type { AnyField, FieldTypeName } from './types'

const TEXTUAL = new Set<FieldTypeName>([
  'text',
  'longText',
  'markdown',
  'richText',
  'code',
  'email',
  'link',
  'date',
  'datetime',
])

/** Whether a field's value is a string that may be empty. */
export const isTextual = (field: AnyField): boolean => TEXTUAL.has(field.type)

import { FIELD_TYPES } from '@/api/field-types'
import type { AnyField } from './types'

/** Whether a field's value is a string that may be empty. */
export function isTextual(field: AnyField): boolean {
  const { category, value } = FIELD_TYPES[field.type]
  return (value === 'text' && category !== 'media') || value === 'date' || value === 'datetime'
}

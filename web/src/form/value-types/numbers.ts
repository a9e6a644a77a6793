/** Numbers, ratings and booleans. */

import { FIELD_TYPES } from '@/api/field-types'
import type { FieldOf } from '../types'
import { type ValueType, wrongType } from './value-type'

const isNull = (value: unknown): boolean => value === null
const toNull = () => null

/** The minimum of a field. */
export const getMin = (field: FieldOf<'number' | 'rating'>): number | undefined =>
  field.type === 'rating' ? FIELD_TYPES.rating.limits.minimum : field.min

export const number: ValueType<FieldOf<'number' | 'rating'>> = {
  read: (_, value, __, where, errors) => (typeof value === 'number' ? value : wrongType(where, errors)),
  check(field, value, _, where, errors) {
    if (typeof value !== 'number') return
    const least = getMin(field)
    const whole = field.type === 'rating' || field.integer === true
    if (least !== undefined && value < least) errors.push({ path: where, code: 'too_small' })
    if (field.max !== undefined && value > field.max) errors.push({ path: where, code: 'too_large' })
    if (whole && !Number.isInteger(value)) errors.push({ path: where, code: 'not_whole' })
  },
  isEmpty: isNull,
  cleared: toNull,
}

export const boolean: ValueType<FieldOf<'boolean'>> = {
  read: (_, value, __, where, errors) => (typeof value === 'boolean' ? value : wrongType(where, errors)),
  isEmpty: isNull,
  cleared: toNull,
}

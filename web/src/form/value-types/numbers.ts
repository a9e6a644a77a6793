/** Numbers, ratings and booleans. */

import type { BooleanField, NumberField, RatingField } from '../types'
import { type ValueType, wrongType } from './value-type'

const isNothing = (value: unknown): boolean => value === null
const nothing = () => null

/** The minimum of a field. */
export const leastOf = (field: NumberField | RatingField): number | undefined =>
  field.type === 'rating' ? 1 : field.min

export const number: ValueType<NumberField | RatingField> = {
  read: (_, value, __, where, faults) => (typeof value === 'number' ? value : wrongType(where, faults)),
  check(field, value, _, where, faults) {
    if (typeof value !== 'number') return
    const least = leastOf(field)
    const whole = field.type === 'rating' || field.integer === true
    if (least !== undefined && value < least) faults.push({ path: where, code: 'too_small' })
    if (field.max !== undefined && value > field.max) faults.push({ path: where, code: 'too_large' })
    if (whole && !Number.isInteger(value)) faults.push({ path: where, code: 'not_whole' })
  },
  isEmpty: isNothing,
  cleared: nothing,
}

export const boolean: ValueType<BooleanField> = {
  read: (_, value, __, where, faults) => (typeof value === 'boolean' ? value : wrongType(where, faults)),
  isEmpty: isNothing,
  cleared: nothing,
}

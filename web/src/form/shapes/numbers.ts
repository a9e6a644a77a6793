/** Numbers, ratings and yes-or-no. */

import type { BooleanField, NumberField, RatingField } from '../types'
import { type Shape, wrongType } from './shape'

const isNothing = (value: unknown): boolean => value === null
const nothing = () => null

export const number: Shape<NumberField | RatingField> = {
  read: (_, value, __, where, faults) =>
    typeof value === 'number' ? value : wrongType(value, 'a number', where, faults),
  check(field, value, _, where, faults) {
    if (typeof value !== 'number') return
    const least = field.type === 'rating' ? 1 : field.min
    const whole = field.type === 'rating' || field.integer === true
    if (least !== undefined && value < least)
      faults.push({ path: where, code: 'too_small', message: `must be at least ${least}` })
    if (field.max !== undefined && value > field.max)
      faults.push({ path: where, code: 'too_large', message: `must be at most ${field.max}` })
    if (whole && !Number.isInteger(value))
      faults.push({ path: where, code: 'not_whole', message: 'must be a whole number' })
  },
  isEmpty: isNothing,
  cleared: nothing,
}

export const boolean: Shape<BooleanField> = {
  read: (_, value, __, where, faults) =>
    typeof value === 'boolean' ? value : wrongType(value, 'true or false', where, faults),
  isEmpty: isNothing,
  cleared: nothing,
}

/** Fields whose value is a string: text, code, emails, links. */

import { FIELD_TYPES } from '@/api/field-types'
import { isBlank, isLongerThan, isShorterThan, SPACE } from '../characters'
import { MAX_PATTERN_INPUT, matchesPattern } from '../patterns'
import type { AnyField, FieldOf, LabelField } from '../types'
import { INVALID, type ValueError, type ValueType, wrongType } from './value-type'

type Prose = FieldOf<'text' | 'longText' | 'markdown' | 'richText' | 'code'> | LabelField

/** The maximum length of a field's text. */
export function getMaxLength(field: AnyField): number {
  const own = ('maxLength' in field ? field.maxLength : undefined) ?? FIELD_TYPES.text.limits.maxLength
  return field.type === 'text' && field.pattern !== undefined ? Math.min(own, MAX_PATTERN_INPUT) : own
}

const strings = {
  read: (_: unknown, value, __: unknown, where, errors) =>
    typeof value === 'string' ? value : wrongType(where, errors),
  isEmpty: value => typeof value !== 'string' || isBlank(value),
  // No text equals the empty text: clearing an empty field isn't an edit.
  cleared: () => '',
} satisfies ValueType

export const prose: ValueType<Prose> = {
  ...strings,
  check(field, value, _, where, errors) {
    if (typeof value !== 'string' || field.type === 'label') return
    if (field.minLength !== undefined && isShorterThan(value, field.minLength))
      errors.push({ path: where, code: 'too_short' })
    const pattern = field.type === 'text' ? field.pattern : undefined
    if (isLongerThan(value, getMaxLength(field))) errors.push({ path: where, code: 'too_long' })
    else if (pattern !== undefined && matchesPattern(pattern, value) === false)
      errors.push({ path: where, code: 'pattern_mismatch' })
  },
}

const EMAIL = new RegExp(`^[^@${SPACE}]{1,64}@[^@${SPACE}.]+(?:\\.[^@${SPACE}.]+)+$`, 'u')

export const email: ValueType<FieldOf<'email'>> = {
  ...strings,
  check(_, value, __, where, errors) {
    if (
      typeof value !== 'string' ||
      isLongerThan(value, FIELD_TYPES.email.limits.maxLength) ||
      !EMAIL.test(value)
    )
      errors.push({ path: where, code: 'bad_email' })
  },
}

const LINK = new RegExp(FIELD_TYPES.link.limits.pattern)

export const isWebAddress = (text: string): boolean => LINK.test(text)

export const link: ValueType<FieldOf<'link'>> = {
  ...strings,
  read(_, value, __, where, errors) {
    if (typeof value !== 'string') return wrongType(where, errors)
    return value === '' || isWebAddress(value) ? value : invalidLink(where, errors)
  },
  check(_, value, __, where, errors) {
    if (typeof value === 'string' && isLongerThan(value, FIELD_TYPES.link.limits.maxLength))
      errors.push({ path: where, code: 'too_long' })
  },
}

function invalidLink(where: string, errors: ValueError[]): typeof INVALID {
  errors.push({ path: where, code: 'bad_link' })
  return INVALID
}

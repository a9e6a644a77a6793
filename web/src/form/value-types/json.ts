/** JSON values, and text that isn't valid JSON yet. */

import { FIELD_TYPES } from '@/api/field-types'
import { getMember, isDeeperThan, isObject } from '../json'
import type { FieldOf, Json } from '../types'
import { INVALID, type ValueType } from './value-type'

const UNFINISHED = 'signoff:unfinishedJson'

/**
 * The value of a JSON field while its text is invalid: kept with the values, so that neither a draft nor a page loses
 * it.
 */
export const wrapUnfinished = (text: string): Json => ({ [UNFINISHED]: text })

/** The text of an unfinished value; null for every other value. */
export function getUnfinishedText(value: Json): string | null {
  if (!isObject(value) || Object.keys(value).length !== 1) return null
  const text = getMember(value, UNFINISHED)
  return typeof text === 'string' ? text : null
}

export const json: ValueType<FieldOf<'json'>> = {
  read(_, value, __, where, errors) {
    if (getUnfinishedText(value) !== null) {
      errors.push({ path: where, code: 'bad_json' })
      return INVALID
    }
    if (!isDeeperThan(value, FIELD_TYPES.json.limits.maxDepth)) return value
    errors.push({ path: where, code: 'too_deep' })
    return INVALID
  },
  isEmpty: value => value === null,
  cleared: () => null,
}

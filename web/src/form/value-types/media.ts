/** Images, videos, audio and files: a URL, external or in the service's own storage. */

import { FIELD_TYPES } from '@/api/field-types'
import { isLongerThan } from '../characters'
import type { FieldOf } from '../types'
import { INVALID, type ValueType, wrongType } from './value-type'

const DATA_URL = 'data:image/[A-Za-z0-9.+-]{1,40}(;[A-Za-z0-9=.+-]{1,40}){0,4};base64,'
const CONTENT = '[A-Za-z0-9+/_ \\t\\r\\n-]'
const BASE64 = new RegExp(
  `^(${DATA_URL})?[A-Za-z0-9+/_-](${CONTENT}{255}|${CONTENT}{15,}={0,2}[ \\t\\r\\n]*$)`,
)

const ADDRESS = new RegExp(FIELD_TYPES.file.limits.pattern)

/** Reviewers upload files and submit their URLs; base64 content is for requests only. */
export const media: ValueType<FieldOf<'image' | 'video' | 'audio' | 'file'>> = {
  read(field, value, _, where, errors) {
    if (typeof value !== 'string') return wrongType(where, errors)
    if (!isLongerThan(value, FIELD_TYPES[field.type].limits.maxLength) && ADDRESS.test(value)) return value
    if (field.type === 'image' && BASE64.test(value) && (!value.startsWith('/') || value.startsWith('/9j/')))
      errors.push({ path: where, code: 'base64_not_declared' })
    else errors.push({ path: where, code: 'bad_media_address' })
    return INVALID
  },
  isEmpty: value => value === null,
  cleared: () => null,
}

/** Fields whose value is a string of any form: prose, code, e-mail addresses, links. */

import { isBlank, longerThan, SPACE, shorterThan } from '../characters'
import { MAX_PATTERN_INPUT, matchesPattern } from '../patterns'
import type {
  CodeField,
  EmailField,
  LabelField,
  LinkField,
  LongTextField,
  MarkdownField,
  RichTextField,
  TextField,
} from '../types'
import { type Fault, INVALID, type Shape, wrongType } from './shape'

const MAX_TEXT = 1_000_000

type Prose = TextField | LongTextField | MarkdownField | RichTextField | CodeField | LabelField

const strings = {
  read: (_: unknown, value, __: unknown, where, faults) =>
    typeof value === 'string' ? value : wrongType(value, 'a string', where, faults),
  isEmpty: value => typeof value !== 'string' || isBlank(value),
  // No text is the empty text: clearing an empty field is not an edit.
  cleared: () => '',
} satisfies Shape

export const prose: Shape<Prose> = {
  ...strings,
  check(field, value, _, where, faults) {
    if (typeof value !== 'string' || field.type === 'label') return
    if (field.minLength !== undefined && shorterThan(value, field.minLength))
      faults.push({
        path: where,
        code: 'too_short',
        message: `must have at least ${field.minLength} characters`,
      })
    const pattern = field.type === 'text' ? field.pattern : undefined
    const most = Math.min(field.maxLength ?? MAX_TEXT, pattern === undefined ? MAX_TEXT : MAX_PATTERN_INPUT)
    if (longerThan(value, most))
      faults.push({ path: where, code: 'too_long', message: `must have at most ${most} characters` })
    else if (pattern !== undefined && matchesPattern(pattern, value) === false)
      faults.push({ path: where, code: 'pattern_mismatch', message: 'does not have the expected form' })
  },
}

const EMAIL = new RegExp(`^[^@${SPACE}]{1,64}@[^@${SPACE}.]+(?:\\.[^@${SPACE}.]+)+$`, 'u')

export const email: Shape<EmailField> = {
  ...strings,
  check(_, value, __, where, faults) {
    if (typeof value !== 'string' || longerThan(value, 254) || !EMAIL.test(value))
      faults.push({ path: where, code: 'bad_email', message: 'must be an e-mail address' })
  },
}

const CONTROL = '\\x00-\\x20\\x7f'
const LINK = new RegExp(`^https?://[^/?#${CONTROL}][^${CONTROL}]*$`, 'i')

export const isWebAddress = (text: string): boolean => LINK.test(text)

export const link: Shape<LinkField> = {
  ...strings,
  read(_, value, __, where, faults) {
    if (typeof value !== 'string') return wrongType(value, 'a string', where, faults)
    return value === '' || isWebAddress(value) ? value : badLink(where, faults)
  },
  check(_, value, __, where, faults) {
    if (typeof value === 'string' && longerThan(value, MAX_TEXT))
      faults.push({ path: where, code: 'too_long', message: `must have at most ${MAX_TEXT} characters` })
  },
}

function badLink(where: string, faults: Fault[]): typeof INVALID {
  faults.push({
    path: where,
    code: 'bad_link',
    message: 'must be a web address that begins with http:// or https://',
  })
  return INVALID
}

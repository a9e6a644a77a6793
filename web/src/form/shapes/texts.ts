/** Fields whose value is a string of any form: prose, code, e-mail addresses, links. */

import { isBlank, longerThan, SPACE, shorterThan } from '../characters'
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
/** The most that a pattern is tried on. */
const MAX_PATTERN_INPUT = 2_000

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
    else if (pattern !== undefined && !matches(pattern, value))
      faults.push({ path: where, code: 'pattern_mismatch', message: 'does not have the expected form' })
  },
}

/**
 * Whether the whole text matches. The server's engine takes linear time, the browser's may not: a pattern that repeats
 * something which repeats is left to the server, so that no review type can make the page stand still.
 */
function matches(pattern: string, text: string): boolean {
  if (/\)[*+{?]|[*+}][^)]*[*+{]/.test(pattern) && text.length > 64) return true
  try {
    return new RegExp(`^(?:${pattern})$`, 'u').test(text)
  } catch {
    // Written for the server's engine only, which decides in the end.
    return true
  }
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

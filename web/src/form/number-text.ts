import { intl } from '@/lib/i18n'
import type { Json } from './types'

const NUMBER = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i
/** A point before three digits: 1234 for some readers, 1.234 for others. */
const POINT_OR_GROUP = /^[+-]?[1-9]\d{0,2}\.\d{3}$/
/** Group separators that aren't a decimal mark in any language. */
const UNAMBIGUOUS_SEPARATORS = " \u00a0\u2009\u202f'’٬"

const getSeparator = (type: 'decimal' | 'group', sample: number) =>
  intl(Intl.NumberFormat)
    .formatToParts(sample)
    .find(part => part.type === type)?.value

/** The decimal mark in the language of the page. */
const getDecimalMark = () => getSeparator('decimal', 0.5) ?? '.'

/** Converts digits and signs of all scripts to ASCII, and removes marks for the writing direction. */
const simplify = (typed: string) =>
  typed
    .trim()
    .replace(/[\u061c\u200e\u200f]/g, '')
    .replace(/[٠-٩۰-۹０-９]/g, digit => String((digit.codePointAt(0) ?? 0) & 15))
    .replace(/[−－]/g, '-')
    .replace('．', '.')

/**
 * Parses typed text: a number, null, or the text itself if it isn't a number (`-`, `1e`).
 *
 * It's read in the language of the page, and refused if it could mean two numbers. With a decimal comma, `1.5` is
 * clear, but `1.234` might be a thousand; with a decimal point, so might `1,234`. `1.234,5` and `1 234` are clear
 * again.
 */
export function parseNumberOrText(typed: string): Json {
  const text = simplify(typed)
  if (text === '') return null
  const mark = getDecimalMark()
  const plain = (removeGroupSeparators(text, mark) ?? text).replace(mark, '.').replace('٫', '.')
  const isUnclear = mark !== '.' && POINT_OR_GROUP.test(text)
  const number = NUMBER.test(plain) && !isUnclear ? Number(plain) : Number.NaN
  return Number.isFinite(number) ? number : typed
}

/** Null if it has no digit groups, or if their separator could be a decimal mark. */
function removeGroupSeparators(text: string, mark: string): string | null {
  const own = getSeparator('group', 1234567) ?? ''
  const [whole = '', fraction, ...more] = text.split(mark === '.' ? /[.٫]/ : new RegExp(`[${mark}٫]`))
  const separator = /^[+-]?\d{1,3}(\D)\d{3}(?:\1\d{3})*$/.exec(whole)?.[1]
  if (separator === undefined || more.length > 0) return null
  const groups = whole.split(separator)
  const isClear =
    UNAMBIGUOUS_SEPARATORS.includes(separator) ||
    (separator === own && separator !== mark && (groups.length > 2 || fraction !== undefined))
  return isClear ? groups.join('') + (fraction === undefined ? '' : mark + fraction) : null
}

/** A number as typed in the language of the page; other values unchanged. */
export const toTypedText = (value: Json): string =>
  typeof value === 'number' ? String(value).replace('.', getDecimalMark()) : String(value ?? '')

/** The number that an arrow key leads to, in steps of ten with Shift; null for other keys. */
export function stepNumber(
  { key, altKey, shiftKey }: { key: string; altKey: boolean; shiftKey: boolean },
  value: number | null,
  { min, max }: { min?: number | undefined; max?: number | undefined },
): number | null {
  const direction = { ArrowUp: 1, ArrowDown: -1 }[key]
  if (direction === undefined || altKey) return null
  const start = value ?? (direction > 0 ? (min ?? 0) - 1 : 1)
  // Twelve digits hide the rounding errors of binary fractions.
  const next = Number((start + direction * (shiftKey ? 10 : 1)).toPrecision(12))
  return Math.min(Math.max(next, min ?? Number.NEGATIVE_INFINITY), max ?? Number.POSITIVE_INFINITY)
}

import { intl } from '@/lib/i18n'
import type { Json } from './types'

const NUMBER = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i

/** What stands between a number's whole part and its fraction in the language of the page. */
const decimalMark = () => intl(Intl.NumberFormat).format(0.5)[1] ?? '.'

/**
 * What was typed as a value: a number, nothing, or the text itself while it is no number (`-`, `1e`). In a language with
 * another decimal mark a point is one too, but `1.234` might be a thousand there: it's no number until that's clear.
 */
export function numberOrText(typed: string): Json {
  const text = typed.trim()
  if (text === '') return null
  const mark = decimalMark()
  const isUnclear = mark !== '.' && /^[+-]?\d{1,3}\.\d{3}$/.test(text)
  const plain = text
    .replace(/[٠-٩۰-۹０-９]/g, digit => String((digit.codePointAt(0) ?? 0) & 15))
    .replace(mark, '.')
  const number = NUMBER.test(plain) && !isUnclear ? Number(plain) : Number.NaN
  return Number.isFinite(number) ? number : typed
}

/** A number as it is typed in the language of the page; other values as they are. */
export const typedForm = (value: Json): string =>
  typeof value === 'number' ? String(value).replace('.', decimalMark()) : String(value ?? '')

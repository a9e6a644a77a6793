import type { Json } from './types'

const NUMBER = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i

/** What was typed as a value: a number, nothing, or the text itself while it is no number (`-`, `1e`). */
export function numberOrText(typed: string): Json {
  const text = typed.trim()
  if (text === '') return null
  const number = NUMBER.test(text) ? Number(text) : Number.NaN
  return Number.isFinite(number) ? number : typed
}

/** A number as it is typed; other values as they are. */
export const typedForm = (value: Json): string => (value === null ? '' : String(value))

import { unfinished, unfinishedText } from './shapes/json'
import type { Json } from './types'

/** What was typed as a value: JSON, nothing, or the text itself while it is no JSON. */
export function jsonOrText(typed: string): Json {
  if (typed.trim() === '') return null
  try {
    return JSON.parse(typed) as Json
  } catch {
    return unfinished(typed)
  }
}

/** A value as it is edited. */
export const jsonText = (value: Json): string =>
  value === null ? '' : (unfinishedText(value) ?? JSON.stringify(value, null, 2))

import type { Json } from './types'
import { unfinished, unfinishedText } from './value-types/json'

/** Parses typed text: a JSON value, null, or the text itself if it isn't JSON. */
export function jsonOrText(typed: string): Json {
  if (typed.trim() === '') return null
  try {
    return JSON.parse(typed) as Json
  } catch {
    return unfinished(typed)
  }
}

/** A value as editable text. */
export const jsonText = (value: Json): string =>
  value === null ? '' : (unfinishedText(value) ?? JSON.stringify(value, null, 2))

import type { Json } from './types'
import { getUnfinishedText, wrapUnfinished } from './value-types/json'

/** Parses typed text: a JSON value, null, or the text itself if it isn't JSON. */
export function parseJsonOrText(typed: string): Json {
  if (typed.trim() === '') return null
  try {
    return JSON.parse(typed) as Json
  } catch {
    return wrapUnfinished(typed)
  }
}

/** A value as editable text. */
export const toJsonText = (value: Json): string =>
  value === null ? '' : (getUnfinishedText(value) ?? JSON.stringify(value, null, 2))

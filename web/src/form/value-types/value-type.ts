import type { AnyField, FieldConfig, Json } from '../types'

/** An error with the server's code; `error-text.ts` has the texts. `option`: the ID that isn't an option. */
export type ValueError = { path: string; code: string; option?: string }

/** The result of reading a value with errors, which have been reported; null is a value. */
export const INVALID = Symbol('invalid')
export type ReadResult = Json | typeof INVALID

/** The operations of every value type, as on the server. */
export type ValueType<F extends AnyField = AnyField> = {
  /** Reads the value in its normal form, or returns INVALID after reporting errors. Never called with null. */
  read(field: F, value: Json, config: FieldConfig, where: string, errors: ValueError[]): ReadResult
  /** Reports every limit that a value breaks; the value was read and isn't empty. */
  check?(field: F, value: Json, config: FieldConfig, where: string, errors: ValueError[]): void
  isEmpty(value: Json): boolean
  /** The value after a reviewer clears `before`. */
  cleared(field: F, before: Json): Json
}

export const NO_CONFIG: FieldConfig = {}

export function wrongType(where: string, errors: ValueError[]): typeof INVALID {
  errors.push({ path: where, code: 'wrong_type' })
  return INVALID
}

import type { AnyField, FieldConfig, Json } from '../types'

/** What is wrong, in the server's codes; `error-text.ts` has the words. `option`: the ID that is no option. */
export type Fault = { path: string; code: string; option?: string }

/** What reading answers instead of a value once it has reported the faults; null is a value. */
export const INVALID = Symbol('invalid')
export type Read = Json | typeof INVALID

/** What every kind of value can do, as the server's shapes do it. */
export type Shape<F extends AnyField = AnyField> = {
  /** The value in its normal form, or INVALID with the faults reported. Never called with null. */
  read(field: F, value: Json, config: FieldConfig, where: string, faults: Fault[]): Read
  /** Reports every limit that a value breaks; the value was read and is not empty. */
  check?(field: F, value: Json, config: FieldConfig, where: string, faults: Fault[]): void
  isEmpty(value: Json): boolean
  /** What a reviewer who clears `before` leaves behind. */
  cleared(field: F, before: Json): Json
}

export const NO_CONFIG: FieldConfig = {}

export function wrongType(where: string, faults: Fault[]): typeof INVALID {
  faults.push({ path: where, code: 'wrong_type' })
  return INVALID
}

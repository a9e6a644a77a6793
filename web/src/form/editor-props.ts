import type { AnyField, FieldConfig, FieldError, Json } from './types'

/** The attributes that connect a control to its label, help and errors. */
export type ControlAttributes = {
  id: string
  'aria-labelledby': string
  'aria-describedby'?: string
  'aria-invalid'?: true
}

export type EditorProps<F extends AnyField = AnyField> = {
  field: F
  value: Json
  /** The agent's value. */
  suggested: Json
  config: FieldConfig
  onChange: (value: Json) => void
  /** Shows the formatted value without editing. */
  readOnly: boolean
  attributes: ControlAttributes
  errors: readonly FieldError[]
  /** The path of the value in errors. */
  place: string
  /** In a table cell, which has room for one line. */
  compact?: boolean
  /** The keys 1 to 9 choose its options. */
  keyed?: boolean
}

/** The text of a text value; a child without a value has null. */
export const toText = (value: Json): string =>
  typeof value === 'string' ? value : value === null ? '' : JSON.stringify(value)

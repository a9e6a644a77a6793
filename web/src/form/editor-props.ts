import type { AnyField, FieldConfig, FieldError, Json } from './types'

/** What ties a control to its label, its help and what is wrong with it. */
export type Ties = {
  id: string
  'aria-labelledby': string
  'aria-describedby'?: string
  'aria-invalid'?: true
}

export type EditorProps<F extends AnyField = AnyField> = {
  field: F
  value: Json
  /** What the agent sent. */
  suggested: Json
  config: FieldConfig
  onChange: (value: Json) => void
  /** Shows the value in its best form and takes no changes. */
  readOnly: boolean
  ties: Ties
  faults: readonly FieldError[]
  /** Where the value is, as faults name it. */
  place: string
  /** In a cell of a table, where there is room for one line. */
  compact?: boolean
  /** The keys 1 to 9 choose its options. */
  keyed?: boolean
}

/** The text of a value that should be one; a child that holds nothing has null. */
export const textOf = (value: Json): string =>
  typeof value === 'string' ? value : value === null ? '' : JSON.stringify(value)

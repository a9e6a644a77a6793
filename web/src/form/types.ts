/** A review type, an agent's suggestion and a reviewer's values, in the format of the API. */

export type Json = null | boolean | number | string | Json[] | { [name: string]: Json }
export type JsonObject = { [name: string]: Json }

/** `original`: the untranslated label if `label` is a translation. Values use this one. */
export type Option = { id: string; label: string; original?: string }

type Common<Type extends string> = {
  id: string
  type: Type
  label: string
  help?: string
  required: boolean
  editable: boolean
  default?: Json
}
type Lengths = { minLength?: number; maxLength?: number }
type Choices = { options?: Option[]; multiple?: boolean; minSelected?: number; maxSelected?: number }
type Items = {
  minItems?: number
  maxItems?: number
  allowAdd: boolean
  allowRemove: boolean
  allowReorder: boolean
}

export type TextField = Common<'text'> & Lengths & { pattern?: string; placeholder?: string }
export type LongTextField = Common<'longText'> & Lengths & { placeholder?: string }
export type MarkdownField = Common<'markdown'> & Lengths
export type RichTextField = Common<'richText'> & Lengths
export type NumberField = Common<'number'> & { min?: number; max?: number; integer?: boolean; unit?: string }
export type RatingField = Common<'rating'> & { max: number }
export type BooleanField = Common<'boolean'> & { trueLabel?: string; falseLabel?: string }
export type DateField = Common<'date'> & { min?: string; max?: string }
export type DatetimeField = Common<'datetime'> & { min?: string; max?: string }
export type EmailField = Common<'email'> & { placeholder?: string }
export type LinkField = Common<'link'> & { placeholder?: string }
export type JsonField = Common<'json'>
export type CodeField = Common<'code'> & Lengths & { language?: string }
export type ButtonsField = Common<'buttons'> & Choices
export type CheckboxesField = Common<'checkboxes'> & Choices
export type DropdownField = Common<'dropdown'> & Choices
export type ImageField = Common<'image'>
export type VideoField = Common<'video'>
export type AudioField = Common<'audio'>
export type FileField = Common<'file'>

/** The child fields of a list item or table row. They have no path: their key in the item is their ID. */
export type ChildField =
  | TextField
  | LongTextField
  | MarkdownField
  | RichTextField
  | NumberField
  | RatingField
  | BooleanField
  | DateField
  | DatetimeField
  | EmailField
  | LinkField
  | JsonField
  | CodeField
  | ButtonsField
  | CheckboxesField
  | DropdownField
  | ImageField
  | VideoField
  | AudioField
  | FileField

export type ListField = Common<'list'> & Items & { item: ChildField[] }
export type TableField = Common<'table'> & Items & { columns: ChildField[] }
/** Read-only text: nothing to require, edit or submit. */
export type LabelField = {
  id: string
  type: 'label'
  label: string
  help?: string
  text?: string
  /** The untranslated text if `text` is a translation. */
  original?: string
  required?: undefined
  editable?: undefined
}

export type AnyField = ChildField | ListField | TableField | LabelField
export type FieldTypeName = AnyField['type']
export type FieldOf<Type extends FieldTypeName> = Extract<AnyField, { type: Type }>
/** A field of a review type, at its path in `data`. */
export type Field = AnyField & { path: string }

export type Condition = { field: string; operation: string; value?: Json }
export type When = Condition | { all: When[] } | { any: When[] } | { not: When }
export type Rule = { target: string; effect: 'show' | 'hide'; when: When }

export type LayoutNode =
  | { kind: 'field'; field: string }
  | { kind: 'columns'; columns: LayoutNode[][] }
  | { kind: 'group'; id: string; label: string; children: LayoutNode[] }
  | { kind: 'grid'; columns: number; children: LayoutNode[] }

export type FormDefinition = {
  formId: string
  version: number
  name: string
  titleField: string | null
  width: 'narrow' | 'medium' | 'wide' | 'full'
  fields: Field[]
  layout?: LayoutNode[]
  rules: Rule[]
}

/** The request's settings for one field. */
export type FieldConfig = { options?: Option[]; empty?: boolean; items?: Record<string, FieldConfig> }

/** `path` leads to the value in the agent's data. */
export type UnmappedValue = { path: (string | number)[]; value: Json; fieldId?: string | null }

/**
 * `GET /reviews/{id}/suggestion`: the initial value of each shown field. Fields that the review doesn't show aren't in
 * it.
 */
export type Suggestion = {
  values: Record<string, Json>
  configs?: Record<string, FieldConfig>
  /** Values that no field shows; absent if there are none, or if the review type hides them. */
  unmapped?: UnmappedValue[]
  responseValues: Record<string, Json>
}

/** The current values of the shown fields, by field ID. */
export type Values = Record<string, Json>

/** Null for a trigger form, which is submitted and neither approved nor rejected. */
export type Response = 'approved' | 'rejected' | null

export type ResponseValue = { value: Json; wasEdited?: boolean }
export type ResponseValues = Record<string, ResponseValue>

/**
 * An error with its path as the server names it (`data.draft.headline`), and its field. `error-text.ts` has the texts
 * for people; `message` is the server's text for developers, if the server found the error.
 */
export type FieldError = { fieldId: string; path: string; code: string; message?: string; option?: string }

/** The copies of images and videos, by their original URL, and errors of those that couldn't be copied. */
export type Media = {
  fileCache?: Record<string, string> | null
  notices?: readonly { url: string; message: string; state?: 'failed' | 'retrying' | null }[] | null
  /** For a preview, in which files aren't copied: the text to show instead. */
  later?: string
}

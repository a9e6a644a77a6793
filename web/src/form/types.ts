/** A review type, an agent's suggestion and a reviewer's values, in the format of the API. */

import type { FIELD_SETTINGS } from '@/api/field-settings'

export type Json = null | boolean | number | string | Json[] | { [name: string]: Json }
export type JsonObject = { [name: string]: Json }

/** `original`: the untranslated label if `label` is a translation. Values use this one. */
export type Option = { id: string; label: string; original?: string }

type Settings = typeof FIELD_SETTINGS

export type FieldTypeName = keyof Settings

type SettingValue<Setting> = Setting extends { type: 'boolean' }
  ? boolean
  : Setting extends { type: 'integer' | 'number' }
    ? number
    : Setting extends { type: 'options' }
      ? Option[]
      : Setting extends { type: 'fields' }
        ? ChildField[]
        : string

/** The settings that a field always has: its label, its child fields, and those with a default. */
type Given<Own> = {
  [Name in keyof Own]: Name extends 'label'
    ? Name
    : Own[Name] extends { default: unknown } | { type: 'fields' }
      ? Name
      : never
}[keyof Own]

type WithSettings<Own> = { -readonly [Name in Given<Own>]: SettingValue<Own[Name]> } & {
  -readonly [Name in Exclude<keyof Own, Given<Own>>]?: SettingValue<Own[Name]>
}

/** A field of this type, or of one of these types. */
export type FieldOf<Type extends FieldTypeName> = Type extends 'label'
  ? LabelField
  : Type extends FieldTypeName
    ? { id: string; type: Type; default?: Json } & WithSettings<Settings[Type]>
    : never

/** Read-only text: nothing to require, edit or submit. */
export type LabelField = { id: string; type: 'label' } & WithSettings<Settings['label']> & {
    /** The untranslated text if `text` is a translation. */
    original?: string
    required?: undefined
    editable?: undefined
  }

/** A child field of a list item or table row. It has no path: its key in the item is its ID. */
export type ChildField = FieldOf<Settings['list']['item']['types'][number]>

export type AnyField = FieldOf<FieldTypeName>
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

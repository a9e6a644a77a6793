/** Every field type: its name, purpose and settings. Texts are messages, rendered when shown. */

import type { MessageDescriptor } from '@lingui/core'
import { msg, t } from '@lingui/core/macro'
import type { FieldTypeName, Json } from '@/form/types'
import { formatNumber, i18n } from '@/lib/i18n'

export type SettingKind =
  | 'text'
  | 'longText'
  | 'pattern'
  | 'whole'
  | 'number'
  | 'boolean'
  | 'date'
  | 'datetime'
  | 'options'
  | 'children'

export type Setting = {
  name: string
  label: MessageDescriptor
  kind: SettingKind
  help?: MessageDescriptor
  /** The default value. */
  otherwise?: Json
  min?: number
  max?: number
}

/** The kind of a value, for conditions and samples. */
export type ValueKind =
  | 'text'
  | 'number'
  | 'boolean'
  | 'date'
  | 'datetime'
  | 'choice'
  | 'choices'
  | 'items'
  | 'json'
  | 'none'

export type Family = 'text' | 'numbers' | 'choices' | 'media' | 'lists' | 'other'

export type FieldTypeInfo = {
  name: MessageDescriptor
  about: MessageDescriptor
  family: Family
  settings: readonly Setting[]
  value: ValueKind
  titles: boolean
  /** Whether the reviewer can change it by default. */
  editable: boolean
  /** Whether the response says if it was edited. */
  tracksEdits: boolean
  /** What a new field of the type has. */
  first: () => Record<string, Json>
}

const LENGTHS: readonly Setting[] = [
  { name: 'minLength', label: msg`Minimum length`, kind: 'whole', min: 0, max: 1_000_000 },
  { name: 'maxLength', label: msg`Maximum length`, kind: 'whole', min: 0, max: 1_000_000 },
]
const PLACEHOLDER: Setting = {
  name: 'placeholder',
  label: msg`Placeholder`,
  kind: 'text',
  max: 200,
  help: msg`Shown when the field is empty.`,
}
const SELECTED: readonly Setting[] = [
  { name: 'minSelected', label: msg`Minimum selections`, kind: 'whole', min: 0, max: 1000 },
  { name: 'maxSelected', label: msg`Maximum selections`, kind: 'whole', min: 1, max: 1000 },
]
const OPTIONS: Setting = {
  name: 'options',
  label: msg`Options`,
  kind: 'options',
  help: msg`Leave empty if each request sends its own options.`,
}
const MULTIPLE: Setting = {
  name: 'multiple',
  label: msg`Allow multiple selections`,
  kind: 'boolean',
  otherwise: false,
}
const ITEMS: readonly Setting[] = [
  { name: 'minItems', label: msg`Minimum items`, kind: 'whole', min: 0, max: 2000 },
  { name: 'maxItems', label: msg`Maximum items`, kind: 'whole', min: 0, max: 2000 },
  { name: 'allowAdd', label: msg`Allow adding items`, kind: 'boolean', otherwise: true },
  { name: 'allowRemove', label: msg`Allow removing items`, kind: 'boolean', otherwise: true },
  { name: 'allowReorder', label: msg`Allow reordering items`, kind: 'boolean', otherwise: true },
]
const ROWS: readonly Setting[] = [
  { name: 'minItems', label: msg`Minimum rows`, kind: 'whole', min: 0, max: 2000 },
  { name: 'maxItems', label: msg`Maximum rows`, kind: 'whole', min: 0, max: 2000 },
  { name: 'allowAdd', label: msg`Allow adding rows`, kind: 'boolean', otherwise: true },
  { name: 'allowRemove', label: msg`Allow removing rows`, kind: 'boolean', otherwise: true },
  { name: 'allowReorder', label: msg`Allow reordering rows`, kind: 'boolean', otherwise: true },
]
const dates = (kind: 'date' | 'datetime'): readonly Setting[] => [
  { name: 'min', label: msg`Earliest`, kind },
  { name: 'max', label: msg`Latest`, kind },
]

/** The label of a new option. */
export const getOptionLabel = (number: number): string => t`Option ${{ number: formatNumber(number) }}`

const TWO_OPTIONS = (): Record<string, Json> => ({
  options: [
    { id: 'option1', label: getOptionLabel(1) },
    { id: 'option2', label: getOptionLabel(2) },
  ],
})
const NOTHING = (): Record<string, Json> => ({})

const base = { titles: false, editable: true, tracksEdits: true, first: NOTHING } as const
const media = {
  ...base,
  family: 'media',
  value: 'text',
  settings: [],
  editable: false,
  tracksEdits: false,
} as const

export const FIELD_TYPES: { [Type in FieldTypeName]: FieldTypeInfo } = {
  text: {
    ...base,
    name: msg`Text`,
    about: msg`Single line of text`,
    family: 'text',
    value: 'text',
    titles: true,
    settings: [
      ...LENGTHS,
      {
        name: 'pattern',
        label: msg`Pattern`,
        kind: 'pattern',
        max: 500,
        help: msg`Regular expression that the whole value must match.`,
      },
      PLACEHOLDER,
    ],
  },
  longText: {
    ...base,
    name: msg`Long text`,
    about: msg`Multiple lines of text`,
    family: 'text',
    value: 'text',
    titles: true,
    settings: [...LENGTHS, PLACEHOLDER],
  },
  markdown: {
    ...base,
    name: msg`Markdown`,
    about: msg`Formatted text, edited as Markdown`,
    family: 'text',
    value: 'text',
    titles: true,
    settings: LENGTHS,
  },
  richText: {
    ...base,
    name: msg`Rich text`,
    about: msg`Formatted text, stored as HTML`,
    family: 'text',
    value: 'text',
    settings: LENGTHS,
  },
  email: {
    ...base,
    name: msg`Email`,
    about: msg`Email address`,
    family: 'text',
    value: 'text',
    titles: true,
    settings: [PLACEHOLDER],
  },
  link: {
    ...base,
    name: msg({ message: 'Link', context: 'field type' }),
    about: msg`A URL that reviewers can open`,
    family: 'text',
    value: 'text',
    titles: true,
    settings: [PLACEHOLDER],
  },
  code: {
    ...base,
    name: msg({ message: 'Code', context: 'field type' }),
    about: msg`Code with syntax highlighting`,
    family: 'text',
    value: 'text',
    settings: [
      ...LENGTHS,
      {
        name: 'language',
        label: msg({ message: 'Language', context: 'programming language' }),
        kind: 'text',
        max: 40,
        help: msg`For example, python`,
      },
    ],
  },
  number: {
    ...base,
    name: msg`Number`,
    about: msg`Number with optional limits and unit`,
    family: 'numbers',
    value: 'number',
    settings: [
      { name: 'min', label: msg`Minimum`, kind: 'number' },
      { name: 'max', label: msg`Maximum`, kind: 'number' },
      { name: 'integer', label: msg`Whole numbers only`, kind: 'boolean', otherwise: false },
      { name: 'unit', label: msg`Unit`, kind: 'text', max: 40, help: msg`Shown after the number.` },
    ],
  },
  rating: {
    ...base,
    name: msg`Rating`,
    about: msg`Star rating`,
    family: 'numbers',
    value: 'number',
    settings: [{ name: 'max', label: msg`Number of stars`, kind: 'whole', min: 2, max: 10, otherwise: 5 }],
  },
  date: {
    ...base,
    name: msg`Date`,
    about: msg`Calendar date`,
    family: 'numbers',
    value: 'date',
    settings: dates('date'),
  },
  datetime: {
    ...base,
    name: msg`Date and time`,
    about: msg`Date with time and time zone`,
    family: 'numbers',
    value: 'datetime',
    settings: dates('datetime'),
  },
  boolean: {
    ...base,
    tracksEdits: false,
    name: msg`Yes/No`,
    about: msg`Choice between two answers`,
    family: 'choices',
    value: 'boolean',
    settings: [
      { name: 'trueLabel', label: msg`Label for yes`, kind: 'text', max: 100 },
      { name: 'falseLabel', label: msg`Label for no`, kind: 'text', max: 100 },
    ],
  },
  buttons: {
    ...base,
    tracksEdits: false,
    name: msg`Buttons`,
    about: msg`Options as buttons`,
    family: 'choices',
    value: 'choice',
    settings: [OPTIONS, MULTIPLE, ...SELECTED],
    first: TWO_OPTIONS,
  },
  dropdown: {
    ...base,
    tracksEdits: false,
    name: msg`Dropdown`,
    about: msg`Options in a menu`,
    family: 'choices',
    value: 'choice',
    settings: [OPTIONS, MULTIPLE, ...SELECTED],
    first: TWO_OPTIONS,
  },
  checkboxes: {
    ...base,
    tracksEdits: false,
    name: msg`Checkboxes`,
    about: msg`Any number of options`,
    family: 'choices',
    value: 'choices',
    settings: [OPTIONS, ...SELECTED],
    first: TWO_OPTIONS,
  },
  image: { ...media, name: msg`Image`, about: msg`Image to view` },
  video: { ...media, name: msg`Video`, about: msg`Video to play` },
  audio: { ...media, name: msg`Audio`, about: msg`Audio to play` },
  file: { ...media, name: msg`File`, about: msg`File to download` },
  list: {
    ...base,
    name: msg({ message: 'List', context: 'field type' }),
    about: msg`Repeating group of fields`,
    family: 'lists',
    value: 'items',
    settings: [{ name: 'item', label: msg`Item fields`, kind: 'children' }, ...ITEMS],
    first: () => ({ item: [{ id: 'text', type: 'text', label: getTypeName('text') }] }),
  },
  table: {
    ...base,
    name: msg`Table`,
    about: msg`Rows with typed columns`,
    family: 'lists',
    value: 'items',
    settings: [{ name: 'columns', label: msg`Columns`, kind: 'children' }, ...ROWS],
    first: () => ({
      columns: [
        { id: 'name', type: 'text', label: t`Name` },
        { id: 'amount', type: 'number', label: t`Amount` },
      ],
    }),
  },
  json: {
    ...base,
    name: msg`JSON`,
    about: msg`Any value, edited as JSON`,
    family: 'other',
    value: 'json',
    settings: [],
  },
  label: {
    ...base,
    tracksEdits: false,
    editable: false,
    name: msg({ message: 'Note', context: 'field type' }),
    about: msg`Read-only text for reviewers`,
    family: 'other',
    value: 'none',
    settings: [{ name: 'text', label: msg`Text (Markdown)`, kind: 'longText', max: 10_000 }],
    first: () => ({ text: t`Add instructions for reviewers.` }),
  },
}

export const FAMILIES: readonly { id: Family; heading: MessageDescriptor }[] = [
  { id: 'text', heading: msg`Text` },
  { id: 'numbers', heading: msg`Numbers and dates` },
  { id: 'choices', heading: msg`Choices` },
  { id: 'media', heading: msg`Media` },
  { id: 'lists', heading: msg`Lists and tables` },
  { id: 'other', heading: msg({ message: 'Other', comment: 'A group of field types' }) },
]

/** The name of a type in the language of the page. */
export const getTypeName = (type: FieldTypeName): string => i18n._(FIELD_TYPES[type].name)

export const TYPE_NAMES = Object.keys(FIELD_TYPES) as FieldTypeName[]

/** Lists, tables and notes can't be part of an item. */
export const CHILD_TYPES = TYPE_NAMES.filter(type => !['list', 'table', 'label'].includes(type))

/** The kind of the field's value: with multiple choices it's an array. */
export function getValueKind(field: { type: FieldTypeName; multiple?: Json }): ValueKind {
  const { value } = FIELD_TYPES[field.type]
  return value === 'choice' && field.multiple === true ? 'choices' : value
}

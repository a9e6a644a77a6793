/** Every type of field: what it is called, what it is for, and which settings it has. */

import type { FieldTypeName, Json } from '@/form/types'

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
  label: string
  kind: SettingKind
  help?: string
  /** What holds where nothing is set. */
  otherwise?: Json
  min?: number
  max?: number
}

/** Of what kind a value is, for conditions and samples. */
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

export type FieldTypeInfo = {
  name: string
  about: string
  family: 'Text' | 'Numbers and dates' | 'Choices' | 'Media' | 'Lists' | 'Other'
  settings: readonly Setting[]
  value: ValueKind
  titles: boolean
  /** Whether the reviewer may change it where nothing is said about that. */
  editable: boolean
  /** Whether the response says if it was edited. */
  tracksEdits: boolean
  /** What a new field of the type has. */
  first: () => Record<string, Json>
}

const LENGTHS: readonly Setting[] = [
  { name: 'minLength', label: 'Fewest characters', kind: 'whole', min: 0, max: 1_000_000 },
  { name: 'maxLength', label: 'Most characters', kind: 'whole', min: 0, max: 1_000_000 },
]
const PLACEHOLDER: Setting = {
  name: 'placeholder',
  label: 'Placeholder',
  kind: 'text',
  max: 200,
  help: 'Shown while the field is empty.',
}
const SELECTED: readonly Setting[] = [
  { name: 'minSelected', label: 'Fewest choices', kind: 'whole', min: 0, max: 1000 },
  { name: 'maxSelected', label: 'Most choices', kind: 'whole', min: 1, max: 1000 },
]
const OPTIONS: Setting = {
  name: 'options',
  label: 'Options',
  kind: 'options',
  help: 'Without any, every request brings its own.',
}
const MULTIPLE: Setting = {
  name: 'multiple',
  label: 'Several can be chosen',
  kind: 'boolean',
  otherwise: false,
}
const ITEMS: readonly Setting[] = [
  { name: 'minItems', label: 'Fewest items', kind: 'whole', min: 0, max: 2000 },
  { name: 'maxItems', label: 'Most items', kind: 'whole', min: 0, max: 2000 },
  { name: 'allowAdd', label: 'Items can be added', kind: 'boolean', otherwise: true },
  { name: 'allowRemove', label: 'Items can be removed', kind: 'boolean', otherwise: true },
  { name: 'allowReorder', label: 'Items can be moved', kind: 'boolean', otherwise: true },
]
const range = (kind: 'number' | 'date' | 'datetime', least: string, most: string): readonly Setting[] => [
  { name: 'min', label: least, kind },
  { name: 'max', label: most, kind },
]
const TWO_OPTIONS = (): Record<string, Json> => ({
  options: [
    { id: 'option1', label: 'Option 1' },
    { id: 'option2', label: 'Option 2' },
  ],
})
const NOTHING = (): Record<string, Json> => ({})

const base = { titles: false, editable: true, tracksEdits: true, first: NOTHING } as const
const media = {
  ...base,
  family: 'Media',
  value: 'text',
  settings: [],
  editable: false,
  tracksEdits: false,
} as const

export const FIELD_TYPES: { [Type in FieldTypeName]: FieldTypeInfo } = {
  text: {
    ...base,
    name: 'Text',
    about: 'One line of text',
    family: 'Text',
    value: 'text',
    titles: true,
    settings: [
      ...LENGTHS,
      {
        name: 'pattern',
        label: 'Pattern',
        kind: 'pattern',
        max: 500,
        help: 'A regular expression that the whole text must match.',
      },
      PLACEHOLDER,
    ],
  },
  longText: {
    ...base,
    name: 'Long text',
    about: 'Text of several lines',
    family: 'Text',
    value: 'text',
    titles: true,
    settings: [...LENGTHS, PLACEHOLDER],
  },
  markdown: {
    ...base,
    name: 'Markdown',
    about: 'Formatted text, edited as source',
    family: 'Text',
    value: 'text',
    titles: true,
    settings: LENGTHS,
  },
  richText: {
    ...base,
    name: 'Rich text',
    about: 'Formatted text, as HTML',
    family: 'Text',
    value: 'text',
    settings: LENGTHS,
  },
  email: {
    ...base,
    name: 'E-mail',
    about: 'An e-mail address',
    family: 'Text',
    value: 'text',
    titles: true,
    settings: [PLACEHOLDER],
  },
  link: {
    ...base,
    name: 'Link',
    about: 'A web address to open',
    family: 'Text',
    value: 'text',
    titles: true,
    settings: [PLACEHOLDER],
  },
  code: {
    ...base,
    name: 'Code',
    about: 'Source code with highlighting',
    family: 'Text',
    value: 'text',
    settings: [
      ...LENGTHS,
      { name: 'language', label: 'Language', kind: 'text', max: 40, help: 'Such as python.' },
    ],
  },
  number: {
    ...base,
    name: 'Number',
    about: 'A number, with limits and a unit',
    family: 'Numbers and dates',
    value: 'number',
    settings: [
      ...range('number', 'Smallest', 'Largest'),
      { name: 'integer', label: 'Whole numbers only', kind: 'boolean', otherwise: false },
      { name: 'unit', label: 'Unit', kind: 'text', max: 40, help: 'Shown behind the number.' },
    ],
  },
  rating: {
    ...base,
    name: 'Rating',
    about: 'Stars to give',
    family: 'Numbers and dates',
    value: 'number',
    settings: [{ name: 'max', label: 'Most stars', kind: 'whole', min: 2, max: 10, otherwise: 5 }],
  },
  date: {
    ...base,
    name: 'Date',
    about: 'A day of the calendar',
    family: 'Numbers and dates',
    value: 'date',
    settings: range('date', 'Earliest', 'Latest'),
  },
  datetime: {
    ...base,
    name: 'Date and time',
    about: 'A moment in time',
    family: 'Numbers and dates',
    value: 'datetime',
    settings: range('datetime', 'Earliest', 'Latest'),
  },
  boolean: {
    ...base,
    tracksEdits: false,
    name: 'Yes or no',
    about: 'One of two answers',
    family: 'Choices',
    value: 'boolean',
    settings: [
      { name: 'trueLabel', label: 'Words for yes', kind: 'text', max: 100 },
      { name: 'falseLabel', label: 'Words for no', kind: 'text', max: 100 },
    ],
  },
  buttons: {
    ...base,
    tracksEdits: false,
    name: 'Buttons',
    about: 'A few options side by side',
    family: 'Choices',
    value: 'choice',
    settings: [OPTIONS, MULTIPLE, ...SELECTED],
    first: TWO_OPTIONS,
  },
  dropdown: {
    ...base,
    tracksEdits: false,
    name: 'Dropdown',
    about: 'Options in a menu',
    family: 'Choices',
    value: 'choice',
    settings: [OPTIONS, MULTIPLE, ...SELECTED],
    first: TWO_OPTIONS,
  },
  checkboxes: {
    ...base,
    tracksEdits: false,
    name: 'Checkboxes',
    about: 'Options to tick, any number',
    family: 'Choices',
    value: 'choices',
    settings: [OPTIONS, ...SELECTED],
    first: TWO_OPTIONS,
  },
  image: { ...media, name: 'Image', about: 'A picture to look at' },
  video: { ...media, name: 'Video', about: 'A video to play' },
  audio: { ...media, name: 'Audio', about: 'A sound recording' },
  file: { ...media, name: 'File', about: 'A file to download' },
  list: {
    ...base,
    name: 'List',
    about: 'Items made of the same fields',
    family: 'Lists',
    value: 'items',
    settings: [{ name: 'item', label: 'Fields of an item', kind: 'children' }, ...ITEMS],
    first: () => ({ item: [{ id: 'text', type: 'text', label: 'Text' }] }),
  },
  table: {
    ...base,
    name: 'Table',
    about: 'Rows with typed columns',
    family: 'Lists',
    value: 'items',
    settings: [{ name: 'columns', label: 'Columns', kind: 'children' }, ...ITEMS],
    first: () => ({
      columns: [
        { id: 'name', type: 'text', label: 'Name' },
        { id: 'amount', type: 'number', label: 'Amount' },
      ],
    }),
  },
  json: {
    ...base,
    name: 'JSON',
    about: 'Any value, edited as source',
    family: 'Other',
    value: 'json',
    settings: [],
  },
  label: {
    ...base,
    tracksEdits: false,
    editable: false,
    name: 'Note',
    about: 'Text for the reviewer to read',
    family: 'Other',
    value: 'none',
    settings: [{ name: 'text', label: 'Text (Markdown)', kind: 'longText', max: 10_000 }],
    first: () => ({ text: 'What the reviewer should know.' }),
  },
}

export const FAMILIES = ['Text', 'Numbers and dates', 'Choices', 'Media', 'Lists', 'Other'] as const

export const TYPE_NAMES = Object.keys(FIELD_TYPES) as FieldTypeName[]

/** Lists, tables and labels cannot stand in an item. */
export const CHILD_TYPES = TYPE_NAMES.filter(type => !['list', 'table', 'label'].includes(type))

/** Of what kind this field's value is: with several choices it is an array. */
export function valueKind(field: { type: FieldTypeName; multiple?: Json }): ValueKind {
  const { value } = FIELD_TYPES[field.type]
  return value === 'choice' && field.multiple === true ? 'choices' : value
}

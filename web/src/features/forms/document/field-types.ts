/** The field types of the catalog, with what only the editor knows: texts, and what a new field has. */

import type { MessageDescriptor } from '@lingui/core'
import { msg, t } from '@lingui/core/macro'
import { FIELD_SETTINGS } from '@/api/field-settings'
import { FIELD_TYPES as CATALOG } from '@/api/field-types'
import type { FieldTypeName, Json } from '@/form/types'
import { formatNumber, i18n } from '@/lib/i18n'
import type { EditorField } from './types'

type Settings = typeof FIELD_SETTINGS
type SettingName = { [Type in FieldTypeName]: keyof Settings[Type] }[FieldTypeName]
type SettingTexts = { label: MessageDescriptor; help?: MessageDescriptor }

export type Setting = SettingTexts & {
  name: string
  type: 'text' | 'boolean' | 'integer' | 'number' | 'pattern' | 'date' | 'datetime' | 'options' | 'fields'
  default?: Json
  minimum?: number
  maximum?: number
  maxLength?: number
  translatable?: boolean
}

/** The kind of a value, for conditions and samples. */
export type ValueKind = (typeof CATALOG)[FieldTypeName]['value']

type Category = (typeof CATALOG)[FieldTypeName]['category']

const SETTING_TEXTS: Readonly<Record<SettingName, SettingTexts>> = {
  label: { label: msg`Label` },
  help: { label: msg`Help text` },
  required: { label: msg`Required`, help: msg`Reviewers must fill this in before they approve.` },
  editable: { label: msg`Editable`, help: msg`Reviewers can change the value.` },
  minLength: { label: msg`Minimum length` },
  maxLength: { label: msg`Maximum length` },
  pattern: { label: msg`Pattern`, help: msg`Regular expression that the whole value must match.` },
  placeholder: { label: msg`Placeholder`, help: msg`Shown when the field is empty.` },
  language: {
    label: msg({ message: 'Language', context: 'programming language' }),
    help: msg`For example, python`,
  },
  min: { label: msg`Minimum` },
  max: { label: msg`Maximum` },
  integer: { label: msg`Whole numbers only` },
  unit: { label: msg`Unit`, help: msg`Shown after the number.` },
  trueLabel: { label: msg`Label for yes` },
  falseLabel: { label: msg`Label for no` },
  options: { label: msg`Options`, help: msg`Leave empty if each request sends its own options.` },
  multiple: { label: msg`Allow multiple selections` },
  minSelected: { label: msg`Minimum selections` },
  maxSelected: { label: msg`Maximum selections` },
  item: { label: msg`Item fields` },
  columns: { label: msg`Columns` },
  minItems: { label: msg`Minimum items` },
  maxItems: { label: msg`Maximum items` },
  allowAdd: { label: msg`Allow adding items` },
  allowRemove: { label: msg`Allow removing items` },
  allowReorder: { label: msg`Allow reordering items` },
  text: { label: msg`Text (Markdown)` },
}

const DATES = { min: { label: msg`Earliest` }, max: { label: msg`Latest` } }

/** The texts of settings that have a more specific meaning for a type. */
const OWN_SETTING_TEXTS: {
  readonly [Type in FieldTypeName]?: { readonly [Name in keyof Settings[Type]]?: SettingTexts }
} = {
  rating: { max: { label: msg`Number of stars` } },
  date: DATES,
  datetime: DATES,
  table: {
    minItems: { label: msg`Minimum rows` },
    maxItems: { label: msg`Maximum rows` },
    allowAdd: { label: msg`Allow adding rows` },
    allowRemove: { label: msg`Allow removing rows` },
    allowReorder: { label: msg`Allow reordering rows` },
  },
}

const createSettings = (type: FieldTypeName): Setting[] =>
  Object.entries<Omit<Setting, 'name' | 'label'>>(FIELD_SETTINGS[type]).map(([name, setting]) => ({
    ...setting,
    ...SETTING_TEXTS[name as SettingName],
    ...(OWN_SETTING_TEXTS[type] as { [name: string]: SettingTexts } | undefined)?.[name],
    name,
  }))

/** The label of a new option. */
export const getOptionLabel = (number: number): string => t`Option ${{ number: formatNumber(number) }}`

const TWO_OPTIONS = (): Record<string, Json> => ({
  options: [
    { id: 'option1', label: getOptionLabel(1) },
    { id: 'option2', label: getOptionLabel(2) },
  ],
})

type TypeTexts = {
  name: MessageDescriptor
  about: MessageDescriptor
  /** What a new field of the type has. */
  first?: () => Record<string, Json>
}

/** In the order of the palette. */
const TYPE_TEXTS: Readonly<Record<FieldTypeName, TypeTexts>> = {
  text: { name: msg`Text`, about: msg`Single line of text` },
  longText: { name: msg`Long text`, about: msg`Multiple lines of text` },
  markdown: { name: msg`Markdown`, about: msg`Formatted text, edited as Markdown` },
  richText: { name: msg`Rich text`, about: msg`Formatted text, stored as HTML` },
  email: { name: msg`Email`, about: msg`Email address` },
  link: {
    name: msg({ message: 'Link', context: 'field type' }),
    about: msg`URL that reviewers can open`,
  },
  code: {
    name: msg({ message: 'Code', context: 'field type' }),
    about: msg`Code with syntax highlighting`,
  },
  number: { name: msg`Number`, about: msg`Number with optional limits and unit` },
  rating: { name: msg`Rating`, about: msg`Star rating` },
  date: { name: msg`Date`, about: msg`Calendar date` },
  datetime: { name: msg`Date and time`, about: msg`Date with time and time zone` },
  boolean: { name: msg`Yes/No`, about: msg`Choice between two answers` },
  buttons: { name: msg`Buttons`, about: msg`Options as buttons`, first: TWO_OPTIONS },
  dropdown: { name: msg`Dropdown`, about: msg`Options in a menu`, first: TWO_OPTIONS },
  checkboxes: { name: msg`Checkboxes`, about: msg`Any number of options`, first: TWO_OPTIONS },
  image: { name: msg`Image`, about: msg`Image to view` },
  video: { name: msg`Video`, about: msg`Video to play` },
  audio: { name: msg`Audio`, about: msg`Audio to play` },
  file: { name: msg`File`, about: msg`File to download` },
  list: {
    name: msg({ message: 'List', context: 'field type' }),
    about: msg`Repeating group of fields`,
    first: () => ({ item: [{ id: 'text', type: 'text', label: getTypeName('text') }] }),
  },
  table: {
    name: msg`Table`,
    about: msg`Rows with typed columns`,
    first: () => ({
      columns: [
        { id: 'name', type: 'text', label: t`Name` },
        { id: 'amount', type: 'number', label: t`Amount` },
      ],
    }),
  },
  json: { name: msg`JSON`, about: msg`Any value, edited as JSON` },
  label: {
    name: msg({ message: 'Note', context: 'field type' }),
    about: msg`Read-only text for reviewers`,
    first: () => ({ text: t`Add instructions for reviewers.` }),
  },
}

export const TYPE_NAMES = Object.keys(TYPE_TEXTS) as FieldTypeName[]

const createFieldType = (type: FieldTypeName) => ({
  first: (): Record<string, Json> => ({}),
  ...TYPE_TEXTS[type],
  ...CATALOG[type],
  settings: createSettings(type),
})

export const FIELD_TYPES = Object.fromEntries(
  TYPE_NAMES.map(type => [type, createFieldType(type)]),
) as Readonly<Record<FieldTypeName, ReturnType<typeof createFieldType>>>

/** The setting of a type with this name. */
export const findSetting = (type: FieldTypeName, name: string): Setting | undefined =>
  FIELD_TYPES[type].settings.find(setting => setting.name === name)

/** The settings that have no input of their own, which only the label has. */
export const getGenericSettings = (field: EditorField): Setting[] =>
  FIELD_TYPES[field.type].settings.flatMap(setting => {
    if (setting.name === 'label') return []
    return [setting.name === 'editable' ? { ...setting, default: isEditableByDefault(field) } : setting]
  })

/** Whether a setting's text usually has more than one line. */
export const isMultiline = (setting: string): boolean => setting === 'help' || setting === 'text'

/** Whether reviewers can change the field unless it says otherwise: a list or table if they can change any child. */
function isEditableByDefault(field: EditorField): boolean {
  const children = field.item ?? field.columns
  if (!Array.isArray(children)) return findSetting(field.type, 'editable')?.default === true
  return (children as unknown as EditorField[]).some(child => child.editable ?? isEditableByDefault(child))
}

export const CATEGORIES: readonly { id: Category; heading: MessageDescriptor }[] = [
  { id: 'text', heading: msg`Text` },
  { id: 'numbers', heading: msg`Numbers and dates` },
  { id: 'choices', heading: msg`Choices` },
  { id: 'media', heading: msg`Media` },
  { id: 'lists', heading: msg`Lists and tables` },
  { id: 'other', heading: msg({ message: 'Other', comment: 'A group of field types' }) },
]

/** The name of a type in the language of the page. */
export const getTypeName = (type: FieldTypeName): string => i18n._(FIELD_TYPES[type].name)

/** The types that the fields of an item can have. */
const itemTypes: readonly string[] = FIELD_SETTINGS.list.item.types
export const CHILD_TYPES = TYPE_NAMES.filter(type => itemTypes.includes(type))

/** The kind of the field's value: with multiple choices it's an array. */
export function getValueKind(field: { type: FieldTypeName; multiple?: Json }): ValueKind {
  const { value } = FIELD_TYPES[field.type]
  return value === 'choice' && field.multiple === true ? 'choices' : value
}

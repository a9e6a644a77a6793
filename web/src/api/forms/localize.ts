/** A review type in the reader's language. Only texts are translated: values are the same in every language. */

import { i18n } from '@/lib/i18n'
import type { components } from '../schema'

/** The translatable settings of a field. */
export type TextSetting = Exclude<keyof components['schemas']['FieldTranslation'], 'options' | 'fields'>

export type LabelTexts = { label?: string }

export type FieldTexts = { [Setting in TextSetting]?: string } & {
  options?: Readonly<Record<string, LabelTexts>>
  /** The fields of a list's items, or a table's columns. */
  fields?: Readonly<Record<string, FieldTexts>>
}

/** The texts of a review type in one language. A text that's missing is shown as it was written. */
export type Texts = {
  name?: string
  fields?: Readonly<Record<string, FieldTexts>>
  groups?: Readonly<Record<string, LabelTexts>>
}

/** Texts by language. */
export type Translations = Readonly<Record<string, Texts>>

/** `original`: the untranslated label, which values store. */
type Option = { id: string; label: string; original?: string }

type Field = {
  id: string
  options?: Option[]
  item?: Field[]
  columns?: Field[]
  text?: string
  original?: string
}

type Node = { id?: string; label?: string; children?: Node[]; columns?: Node[][] | number }

export function localizeDefinition<Definition extends object>(
  definition: Definition,
  language: string,
): Definition {
  const { translations, ...form } = definition as {
    translations?: Translations | null
    fields: Field[]
    layout?: Node[] | null
  }
  const texts = getOwn(translations, language)
  if (texts === undefined) return definition
  return {
    ...definition,
    ...(texts.name !== undefined && { name: texts.name }),
    ...(texts.fields && {
      fields: form.fields.map(field => localizeField(field, getOwn(texts.fields, field.id))),
    }),
    ...(texts.groups && form.layout && { layout: form.layout.map(node => localizeNode(node, texts.groups)) }),
  }
}

function localizeField(field: Field, texts: FieldTexts | undefined): Field {
  if (texts === undefined) return field
  const { options, fields, ...settings } = texts
  const children = (list: Field[] | undefined, name: 'item' | 'columns') =>
    fields && list && { [name]: list.map(child => localizeField(child, getOwn(fields, child.id))) }
  return {
    ...field,
    ...settings,
    ...(settings.text !== undefined && { original: field.text }),
    ...(options && {
      options: field.options?.map(option => localizeOption(option, getOwn(options, option.id))),
    }),
    ...children(field.item, 'item'),
    ...children(field.columns, 'columns'),
  }
}

const localizeOption = (option: Option, texts: LabelTexts | undefined): Option =>
  texts?.label === undefined ? option : { ...option, label: texts.label, original: option.label }

function localizeNode(node: Node, groups: Texts['groups']): Node {
  const inside = (nodes: Node[]) => nodes.map(child => localizeNode(child, groups))
  return {
    ...node,
    ...getOwn(groups, node.id),
    ...(node.children && { children: inside(node.children) }),
    ...(Array.isArray(node.columns) && { columns: node.columns.map(inside) }),
  }
}

const getOwn = <Value>(
  values: Readonly<Record<string, Value>> | null | undefined,
  name: string | undefined,
) => (values && name !== undefined && Object.hasOwn(values, name) ? values[name] : undefined)

/** In the language of the page. */
export const localizeInPageLanguage = <Definition extends object>(definition: Definition): Definition =>
  localizeDefinition(definition, i18n.locale)

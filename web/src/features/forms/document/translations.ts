/**
 * The texts of a review type in other languages. While it's edited, each translation is kept with its original, so that
 * moving, renaming, copying, and deleting the original takes the translation along.
 */

import type { FieldTexts, LabelTexts, Texts, Translations } from '@/api/forms/localize'
import type { Json, JsonObject } from '@/form/types'
import { FIELD_TYPES } from './field-types'
import { getGroups, mapContainers } from './tree'
import type { EditorDocument, EditorField, EditorNode, NodeOf, TranslatedTexts } from './types'

/** What can have translated texts: a field, an option, or a group. */
type Translated = { translations?: TranslatedTexts }

type EditorOption = { id: string; label: string } & Translated

/** The translatable settings of a field. */
export const getTextSettings = (field: EditorField): string[] =>
  FIELD_TYPES[field.type].settings.filter(setting => setting.translatable).map(setting => setting.name)

export const getOptions = (field: EditorField): EditorOption[] =>
  getList(field, 'options') as unknown as EditorOption[]

export const getChildFields = (field: EditorField): EditorField[] =>
  getList(field, 'fields') as unknown as EditorField[]

function getList(field: EditorField, type: 'options' | 'fields'): Json[] {
  const setting = FIELD_TYPES[field.type].settings.find(each => each.type === type)
  const list = setting && field[setting.name]
  return Array.isArray(list) ? list : []
}

/** Replaces the options and child fields of a field. */
function mapInside(
  field: EditorField,
  option: (option: EditorOption) => EditorOption,
  child: (child: EditorField) => EditorField,
): EditorField {
  const changed = Object.fromEntries(
    FIELD_TYPES[field.type].settings.flatMap(({ name, type }) => {
      const list = field[name]
      if (!Array.isArray(list) || (type !== 'options' && type !== 'fields')) return []
      const inside =
        type === 'options'
          ? (list as unknown as EditorOption[]).map(option)
          : (list as unknown as EditorField[]).map(child)
      return [[name, inside as unknown as Json]]
    }),
  )
  return { ...field, ...changed }
}

const isFilled = (text: string | undefined): text is string => text !== undefined && text.trim() !== ''

/** Undefined if it's empty. */
function toRecord<Value>(entries: readonly (readonly [string, Value | undefined])[]) {
  const filled = entries.filter((entry): entry is [string, Value] => entry[1] !== undefined)
  return filled.length > 0 ? Object.fromEntries(filled) : undefined
}

/** The translations as the service takes them. Texts without a translation are left out. */
export function writeTranslations(document: EditorDocument): Translations | null {
  if (document.languages.length === 0) return null
  return Object.fromEntries(document.languages.map(language => [language, writeTexts(document, language)]))
}

function writeTexts(document: EditorDocument, language: string): Texts {
  const name = document.nameTranslations[language]
  const fields = toRecord(document.fields.map(field => [field.id, writeField(field, language)]))
  const groups = toRecord(getGroups(document.layout).map(group => [group.id, writeLabel(group, language)]))
  return { ...(isFilled(name) && { name }), ...(fields && { fields }), ...(groups && { groups }) }
}

function writeField(field: EditorField, language: string): FieldTexts | undefined {
  const texts = getOwnTexts(field, language)
  const settings = toRecord(
    getTextSettings(field).map(name => [name, isFilled(texts[name]) ? texts[name] : undefined]),
  )
  const options = toRecord(getOptions(field).map(option => [option.id, writeLabel(option, language)]))
  const fields = toRecord(getChildFields(field).map(child => [child.id, writeField(child, language)]))
  if (!settings && !options && !fields) return undefined
  return { ...settings, ...(options && { options }), ...(fields && { fields }) }
}

function writeLabel(labelled: Translated, language: string): LabelTexts | undefined {
  const { label } = getOwnTexts(labelled, language)
  return isFilled(label) ? { label } : undefined
}

const getOwnTexts = (translated: Translated, language: string): Readonly<Record<string, string>> =>
  translated.translations?.[language] ?? {}

/** A document with these translations, and no others. */
export function withTranslations(document: EditorDocument, translations: Translations): EditorDocument {
  const languages = Object.keys(translations).filter(language => translations[language])
  const by = <Value>(read: (texts: Texts) => Value | undefined) =>
    new Map(languages.map(language => [language, read(translations[language] ?? {})]))
  return {
    ...document,
    languages,
    nameTranslations: toRecord([...by(texts => texts.name)]) ?? {},
    fields: document.fields.map(field =>
      withFieldTexts(
        field,
        by(texts => member(texts.fields, field.id)),
      ),
    ),
    layout: mapContainers(document.layout, children =>
      children.map(node =>
        node.kind === 'group'
          ? withLabels(
              node,
              by(texts => member(texts.groups, node.id)),
            )
          : node,
      ),
    ),
  }
}

type ByLanguage<Value> = ReadonlyMap<string, Value | undefined>

function withFieldTexts(field: EditorField, by: ByLanguage<FieldTexts>): EditorField {
  const inside = <Value>(read: (texts: FieldTexts) => Value | undefined) =>
    new Map([...by].map(([language, texts]) => [language, texts && read(texts)]))
  const settings = toRecord(
    [...by].map(([language, texts]) => {
      const { options: _, fields: __, ...rest } = texts ?? {}
      return [language, toRecord(Object.entries(rest))]
    }),
  )
  return withOwn(
    mapInside(
      field,
      option =>
        withLabels(
          option,
          inside(texts => member(texts.options, option.id)),
        ),
      child =>
        withFieldTexts(
          child,
          inside(texts => member(texts.fields, child.id)),
        ),
    ),
    settings,
  )
}

const withLabels = <Labelled extends Translated>(labelled: Labelled, by: ByLanguage<LabelTexts>): Labelled =>
  withOwn(
    labelled,
    toRecord([...by].map(([language, texts]) => [language, toRecord(Object.entries(texts ?? {}))])),
  )

function withOwn<Owner extends Translated>(owner: Owner, translations: TranslatedTexts | undefined): Owner {
  if (translations === undefined && owner.translations === undefined) return owner
  const { translations: _, ...rest } = owner
  return { ...rest, ...(translations && { translations }) } as Owner
}

const member = <Value>(values: Readonly<Record<string, Value>> | undefined, name: string) =>
  values && Object.hasOwn(values, name) ? values[name] : undefined

export const withoutTranslations = (field: EditorField): EditorField => withFieldTexts(field, new Map())

export const addLanguage = (document: EditorDocument, language: string): EditorDocument =>
  document.languages.includes(language)
    ? document
    : { ...document, languages: [...document.languages, language] }

/** Removes a language and all texts in it. */
export function removeLanguage(document: EditorDocument, language: string): EditorDocument {
  const { [language]: _, ...rest } = writeTranslations(document) ?? {}
  return withTranslations(document, rest)
}

/** Where a text is: at the review type's name, a group, or a setting or an option of a field. */
export type TextPlace =
  | { of: 'name' }
  | { of: 'group'; key: string }
  | { of: 'field'; index: number; child?: number; setting: string }
  | { of: 'field'; index: number; child?: number; option: number }

export type Text = {
  place: TextPlace
  /** The path at which the service reports errors. */
  path: string
  original: string
  translation: string
}

/** The service truncates keys that it quotes. */
const MAX_KEY_LENGTH = 100
const step = (id: string) => `.${id.slice(0, MAX_KEY_LENGTH)}`

const isRelevant = (text: Text) => text.original.trim() !== '' || text.translation !== ''

export function nameText(document: EditorDocument, language: string): Text {
  return {
    place: { of: 'name' },
    path: `translations.${language}.name`,
    original: document.name,
    translation: document.nameTranslations[language] ?? '',
  }
}

export const groupText = (group: NodeOf<'group'>, language: string): Text => ({
  place: { of: 'group', key: group.key },
  path: `translations.${language}.groups${step(group.id)}.label`,
  original: group.label,
  translation: getOwnTexts(group, language).label ?? '',
})

/** The texts of a field and of its options, without those of its child fields. */
export function fieldTexts(field: EditorField, language: string, index: number): Text[] {
  return getFieldTexts(field, language, { index }, `translations.${language}.fields${step(field.id)}`)
}

export function childTexts(parent: EditorField, language: string, index: number, child: number): Text[] {
  const field = getChildFields(parent)[child]
  if (field === undefined) return []
  const path = `translations.${language}.fields${step(parent.id)}.fields${step(field.id)}`
  return getFieldTexts(field, language, { index, child }, path)
}

function getFieldTexts(
  field: EditorField,
  language: string,
  at: { index: number; child?: number },
  path: string,
): Text[] {
  const translations = getOwnTexts(field, language)
  const settings = getTextSettings(field).map((setting): Text => {
    const original = field[setting]
    return {
      place: { of: 'field', ...at, setting },
      path: `${path}.${setting}`,
      original: typeof original === 'string' ? original : '',
      translation: translations[setting] ?? '',
    }
  })
  const options = getOptions(field).map(
    (option, number): Text => ({
      place: { of: 'field', ...at, option: number },
      path: `${path}.options${step(option.id)}.label`,
      original: option.label,
      translation: getOwnTexts(option, language).label ?? '',
    }),
  )
  return [...settings, ...options].filter(isRelevant)
}

export type TextGroup =
  | { of: 'name'; texts: Text[] }
  | { of: 'group'; node: NodeOf<'group'>; texts: Text[] }
  | { of: 'field'; node: NodeOf<'field'>; field: EditorField; texts: Text[]; children: ChildTexts[] }

type ChildTexts = { field: EditorField; texts: Text[] }

/** Every text of the review type, in the order reviewers read them. */
export function getTextGroups(document: EditorDocument, language: string): TextGroup[] {
  const indexes = new Map(document.fields.map((field, index) => [field.id, index]))
  const inside = (nodes: readonly EditorNode[]): TextGroup[] => nodes.flatMap(ofNode)
  const ofNode = (node: EditorNode): TextGroup[] => {
    if (node.kind === 'columns') return node.columns.flatMap(inside)
    if (node.kind === 'grid') return inside(node.children)
    if (node.kind === 'group') {
      const texts = [groupText(node, language)].filter(isRelevant)
      return [{ of: 'group', node, texts }, ...inside(node.children)]
    }
    const index = indexes.get(node.field)
    const field = index === undefined ? undefined : document.fields[index]
    if (index === undefined || field === undefined) return []
    const children = getChildFields(field).map((child, number) => ({
      field: child,
      texts: childTexts(field, language, index, number),
    }))
    return [{ of: 'field', node, field, texts: fieldTexts(field, language, index), children }]
  }
  return [
    { of: 'name', texts: [nameText(document, language)].filter(isRelevant) },
    ...inside(document.layout),
  ]
}

export const getTexts = (group: TextGroup): Text[] =>
  group.of === 'field' ? [...group.texts, ...group.children.flatMap(child => child.texts)] : group.texts

export const getAllTexts = (document: EditorDocument, language: string): Text[] =>
  getTextGroups(document, language).flatMap(getTexts)

export const isMissing = (text: Text): boolean => !isFilled(text.translation) && isFilled(text.original)

/** How many texts are translated, and how many there are. */
export function getProgress(texts: readonly Text[]): { done: number; total: number } {
  const needed = texts.filter(text => isFilled(text.original))
  return { done: needed.filter(text => !isMissing(text)).length, total: needed.length }
}

/** Sets a translation; an empty one is removed. */
export function translate(
  document: EditorDocument,
  language: string,
  place: TextPlace,
  text: string,
): EditorDocument {
  if (place.of === 'name')
    return { ...document, nameTranslations: withText(document.nameTranslations, language, text) ?? {} }
  if (place.of === 'group')
    return {
      ...document,
      layout: mapContainers(document.layout, children =>
        children.map(node =>
          node.kind === 'group' && node.key === place.key
            ? translateSetting(node, language, 'label', text)
            : node,
        ),
      ),
    }
  const change = (field: EditorField): EditorField => {
    if ('setting' in place) return translateSetting(field, language, place.setting, text)
    let number = -1
    return mapInside(
      field,
      option => {
        number += 1
        return number === place.option ? translateSetting(option, language, 'label', text) : option
      },
      child => child,
    )
  }
  const fields = document.fields.map((field, index) => {
    if (index !== place.index) return field
    if (place.child === undefined) return change(field)
    let number = -1
    return mapInside(
      field,
      option => option,
      child => {
        number += 1
        return number === place.child ? change(child) : child
      },
    )
  })
  return { ...document, fields }
}

const translateSetting = <Owner extends Translated>(
  owner: Owner,
  language: string,
  setting: string,
  text: string,
): Owner =>
  withOwn(
    owner,
    withText(owner.translations, language, withText(owner.translations?.[language], setting, text)),
  )

/** Sets or removes a member; undefined if none is left. */
function withText<Value>(
  values: Readonly<Record<string, Value>> | undefined,
  name: string,
  value: Value | undefined,
): Record<string, Value> | undefined {
  const { [name]: _, ...rest } = values ?? ({} as Record<string, Value>)
  const next = value === undefined || value === '' ? rest : { ...rest, [name]: value }
  return Object.keys(next).length > 0 ? next : undefined
}

/** Each text of a translation, by path. */
export function flattenTexts(texts: Json | undefined, place: readonly string[] = []): Map<string, string> {
  if (typeof texts === 'string') return new Map([[JSON.stringify(place), texts]])
  const members = texts === null || texts === undefined ? [] : Object.entries(texts as JsonObject)
  return new Map(members.flatMap(([name, value]) => [...flattenTexts(value, [...place, name])]))
}

export function nestTexts(texts: ReadonlyMap<string, string>): Texts {
  const root: JsonObject = {}
  for (const [place, text] of texts) {
    const path = JSON.parse(place) as string[]
    let at = root
    for (const name of path.slice(0, -1)) {
      if (!Object.hasOwn(at, name)) set(at, name, {})
      at = at[name] as JsonObject
    }
    set(at, path.at(-1) ?? '', text)
  }
  return root as Texts
}

/** Works for a name such as `__proto__` too. */
const set = (object: JsonObject, name: string, value: Json) =>
  Object.defineProperty(object, name, { value, enumerable: true, writable: true, configurable: true })

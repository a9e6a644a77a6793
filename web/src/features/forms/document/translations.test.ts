import { describe, expect, it } from 'vitest'
import type { Json } from '@/form/types'
import { getChangeDetails } from './change-details'
import { duplicateNode } from './clipboard'
import { findDifferences, getChangeKind, merge } from './merge'
import { changeField, changeFieldType, removeNode, unwrap } from './operations'
import { readForm } from './read'
import { renameField, renameGroup } from './rename'
import {
  addLanguage,
  flattenTexts,
  getAllTexts,
  getProgress,
  getTextGroups,
  isMissing,
  nestTexts,
  removeLanguage,
  type Text,
  translate,
} from './translations'
import { findFieldNode, getGroups } from './tree'
import type { EditorDocument } from './types'
import { sameForm, writeForm } from './write'

const FORM = {
  name: 'Post',
  fields: [
    { id: 'headline', type: 'text', label: 'Headline', help: 'One line', placeholder: 'News' },
    {
      id: 'channel',
      type: 'dropdown',
      label: 'Channel',
      options: [
        { id: 'mail', label: 'Email' },
        { id: 'blog', label: 'Blog' },
      ],
    },
    {
      id: 'items',
      type: 'list',
      label: 'Items',
      item: [
        { id: 'price', type: 'number', label: 'Price', unit: 'euros' },
        { id: 'size', type: 'buttons', label: 'Size', options: [{ id: 's', label: 'Small' }] },
      ],
    },
    { id: 'source', type: 'code', label: 'Source', language: 'python' },
  ],
  layout: [
    { kind: 'group', id: 'where', label: 'Where', children: [{ kind: 'field', field: 'channel' }] },
    { kind: 'field', field: 'headline' },
    { kind: 'field', field: 'items' },
    { kind: 'field', field: 'source' },
  ],
}
const GERMAN = {
  name: 'Beitrag',
  fields: {
    headline: { label: 'Überschrift', help: 'Eine Zeile', placeholder: 'Neues' },
    channel: { label: 'Kanal', options: { mail: { label: 'E-Mail' } } },
    items: { fields: { price: { unit: 'Euro' }, size: { options: { s: { label: 'Klein' } } } } },
  },
  groups: { where: { label: 'Wo' } },
}
const form = (translations: object | null = { de: GERMAN }): EditorDocument =>
  readForm({ ...FORM, translations })
const german = (document: EditorDocument) => writeForm(document).translations?.de
const keyOf = (document: EditorDocument, field: string) => findFieldNode(document.layout, field)?.key ?? ''
const find = (document: EditorDocument, original: string, language = 'de'): Text => {
  const text = getAllTexts(document, language).find(each => each.original === original)
  if (text === undefined) throw new Error(`There is no text '${original}'.`)
  return text
}
const translated = (document: EditorDocument, original: string, text: string, language = 'de') =>
  translate(document, language, find(document, original, language).place, text)

describe('reading and writing translations', () => {
  it.each([null, { de: {} }, { de: GERMAN }, { de: GERMAN, ar: { name: 'منشور' } }])('gives %j back', given =>
    expect(writeForm(form(given)).translations).toEqual(given),
  )
  it('writes the fields as they were', () => expect(writeForm(form()).fields).toEqual(FORM.fields))
  it('writes none where there is no language', () => expect(writeForm(form({})).translations).toBeNull())
  it('tells documents with other texts apart', () => {
    expect(sameForm(form(), form())).toBe(true)
    expect(sameForm(form(), translated(form(), 'Blog', 'Netztagebuch'))).toBe(false)
    expect(sameForm(form(null), addLanguage(form(null), 'de'))).toBe(false)
  })
  it('keeps a text for an ID that objects have by themselves', () => {
    const fields = [
      { id: 'constructor', type: 'dropdown', label: 'X', options: [{ id: '__proto__', label: 'Y' }] },
    ]
    const document = translated(
      readForm({ ...FORM, fields, layout: null, translations: { de: {} } }),
      'Y',
      'Z',
    )
    const written = writeForm(document)
    expect(flattenTexts(written.translations?.de)).toEqual(
      new Map([['["fields","constructor","options","__proto__","label"]', 'Z']]),
    )
    const again = readForm({ ...written, layout: null })
    expect(find(again, 'Y').translation).toBe('Z')
    expect(find(again, 'X').translation).toBe('')
  })
})

describe('the texts to translate', () => {
  it('are in the order of the review', () => {
    expect(getAllTexts(form(), 'de').map(text => text.original)).toEqual([
      'Post',
      'Where',
      'Channel',
      'Email',
      'Blog',
      'Headline',
      'One line',
      'News',
      'Items',
      'Price',
      'euros',
      'Size',
      'Small',
      'Source',
    ])
    expect(getTextGroups(form(), 'de').map(group => group.of)).toEqual([
      'name',
      'group',
      'field',
      'field',
      'field',
      'field',
    ])
  })
  it('are counted', () => {
    expect(getProgress(getAllTexts(form(), 'de'))).toEqual({ done: 9, total: 14 })
    expect(
      getAllTexts(form(), 'de')
        .filter(isMissing)
        .map(text => text.original),
    ).toEqual(['Blog', 'Items', 'Price', 'Size', 'Source'])
    expect(getProgress(getAllTexts(addLanguage(form(), 'ar'), 'ar'))).toEqual({ done: 0, total: 14 })
  })
  it('have the paths where the service names errors', () => {
    const paths = Object.fromEntries(getAllTexts(form(), 'de').map(text => [text.original, text.path]))
    expect(paths).toMatchObject({
      Post: 'translations.de.name',
      Where: 'translations.de.groups.where.label',
      'One line': 'translations.de.fields.headline.help',
      Email: 'translations.de.fields.channel.options.mail.label',
      euros: 'translations.de.fields.items.fields.price.unit',
      Small: 'translations.de.fields.items.fields.size.options.s.label',
    })
  })
  it('include one whose original was removed, which needs none', () => {
    const document = changeField(form(), 'headline', { help: undefined })
    expect(find(document, '').translation).toBe('Eine Zeile')
    expect(getProgress(getAllTexts(document, 'de'))).toEqual({ done: 8, total: 13 })
  })
})

describe('translating', () => {
  it.each(['Post', 'Where', 'Headline', 'One line', 'Blog', 'Price', 'Small'])(
    'changes only the text of %s',
    original => {
      const before = addLanguage(form(), 'fr')
      const after = translated(before, original, 'Ça', 'fr')
      const place = (document: EditorDocument) => flattenTexts(writeForm(document).translations?.fr)
      expect([...place(after).values()]).toEqual(['Ça'])
      expect(find(after, original, 'fr').translation).toBe('Ça')
      expect(german(after)).toEqual(GERMAN)
      expect(sameForm(translated(after, original, '', 'fr'), before)).toBe(true)
    },
  )
  it('keeps spaces while they are typed, and writes no empty text', () => {
    const typed = translated(form(), 'Blog', '  ')
    expect(find(typed, 'Blog').translation).toBe('  ')
    expect(german(typed)).toEqual(GERMAN)
    expect(isMissing(find(typed, 'Blog'))).toBe(true)
  })
  it('adds and removes languages', () => {
    const more = addLanguage(form(), 'fr')
    expect(writeForm(more).translations).toEqual({ de: GERMAN, fr: {} })
    expect(addLanguage(more, 'fr')).toBe(more)
    const less = removeLanguage(more, 'de')
    expect(writeForm(less).translations).toEqual({ fr: {} })
    expect(german(addLanguage(less, 'de'))).toEqual({})
  })
})

describe('translations follow', () => {
  it('a field with another ID', () => {
    const { headline, ...rest } = GERMAN.fields
    expect(german(renameField(form(), 'headline', 'title'))?.fields).toEqual({ ...rest, title: headline })
  })
  it('a group with another ID', () =>
    expect(german(renameGroup(form(), 'where', 'place'))?.groups).toEqual({ place: { label: 'Wo' } }))
  it('an option with another ID or place', () => {
    const [mail, blog] = form().fields.flatMap(field => (field.options ?? []) as Json[])
    const document = changeField(form(), 'channel', {
      options: [blog, { ...(mail as object), id: 'letter' }] as Json[],
    })
    expect(german(document)?.fields?.channel?.options).toEqual({ letter: { label: 'E-Mail' } })
  })
  it('a copy', () => {
    const before = form()
    const copied = duplicateNode(before, getGroups(before.layout)[0]?.key ?? '')?.document
    const texts = copied && german(copied)
    expect(texts?.fields?.channel2).toEqual(GERMAN.fields.channel)
    expect(texts?.groups).toEqual({ where: { label: 'Wo' }, where2: { label: 'Wo' } })
  })
  it('nothing that was deleted', () => {
    const before = form()
    const after = removeNode(before, keyOf(before, 'headline'))
    expect(Object.keys(german(after)?.fields ?? {})).toEqual(['channel', 'items'])
    expect(german(unwrap(before, getGroups(before.layout)[0]?.key ?? ''))).not.toHaveProperty('groups')
    expect(german(changeField(before, 'channel', { options: undefined }))?.fields?.channel).toEqual({
      label: 'Kanal',
    })
  })
  it('a field that becomes another type, as far as it has the setting', () =>
    expect(german(changeFieldType(form(), 'headline', 'number'))?.fields?.headline).toEqual({
      label: 'Überschrift',
      help: 'Eine Zeile',
    }))
})

describe('merging translations', () => {
  const base = form()
  const merged = (mine: EditorDocument, theirs: EditorDocument, chosen = {}) =>
    writeForm(merge(base, mine, theirs, chosen)).translations
  it('takes both sides where they changed different texts', () => {
    const mine = translated(base, 'Blog', 'Netztagebuch')
    const theirs = translated(base, 'Items', 'Posten')
    expect(findDifferences(base, mine, theirs)).toMatchObject([{ id: 'translations de', isConflict: false }])
    const fields = merged(mine, theirs)?.de?.fields
    expect(fields?.channel?.options?.blog?.label).toBe('Netztagebuch')
    expect(fields?.items?.label).toBe('Posten')
  })
  it('asks only about the same text', () => {
    const mine = translated(translated(base, 'Post', 'Meins'), 'Blog', 'Netztagebuch')
    const theirs = translated(base, 'Post', 'Deren')
    expect(findDifferences(base, mine, theirs)).toMatchObject([{ isConflict: true }])
    expect(merged(mine, theirs)?.de).toMatchObject({ name: 'Meins' })
    const chosen = merged(mine, theirs, { 'translations de': 'theirs' })?.de
    expect(chosen?.name).toBe('Deren')
    expect(chosen?.fields?.channel?.options?.blog?.label).toBe('Netztagebuch')
  })
  it('takes a language that either side added or removed', () => {
    const mine = translated(addLanguage(base, 'fr'), 'Post', 'Article', 'fr')
    expect(merged(mine, removeLanguage(base, 'de'))).toEqual({ fr: { name: 'Article' } })
    expect(merged(removeLanguage(base, 'de'), mine)).toEqual({ fr: { name: 'Article' } })
  })
  it('asks where one side removed what the other changed', () => {
    const mine = removeLanguage(base, 'de')
    const theirs = translated(base, 'Post', 'Deren')
    expect(findDifferences(base, mine, theirs)).toMatchObject([{ isConflict: true }])
    expect(merged(mine, theirs)).toBeNull()
    expect(merged(mine, theirs, { 'translations de': 'theirs' })?.de?.name).toBe('Deren')
  })
  it('leaves out texts of fields that the other side deleted', () => {
    const theirs = removeNode(base, keyOf(base, 'items'))
    expect(merged(translated(base, 'Post', 'Meins'), theirs)?.de?.fields).not.toHaveProperty('items')
  })
  it('says which texts changed, by the names of their originals', () => {
    const mine = ['Post', 'Headline', 'Blog', 'Price', 'Small', 'Where'].reduce(
      (document, original) => translated(document, original, 'Neu'),
      base,
    )
    const [found] = findDifferences(base, mine, base)
    if (found === undefined) throw new Error('There is no difference.')
    expect(found.label).toBe('Translations: German')
    expect(getChangeKind(found, 'mine')).toBe('changed')
    const details = getChangeDetails(found, 'mine', id => id, [mine])
    expect(details.map(({ label, from, to }) => [label, from, to])).toEqual([
      ['Name', 'Beitrag', 'Neu'],
      ['Headline: Label', 'Überschrift', 'Neu'],
      ['Items, Size: Small', 'Klein', 'Neu'],
      ['Where: Heading', 'Wo', 'Neu'],
      ['Channel: Blog', null, 'Neu'],
      ['Items, Price: Label', null, 'Neu'],
    ])
  })
  it('names a text by its ID when its original is gone', () => {
    const [found] = findDifferences(base, translated(base, 'Headline', 'Neu'), base)
    expect(found && getChangeDetails(found, 'mine', id => id, [])).toMatchObject([
      { label: 'headline: Label' },
    ])
  })
})

it('nestedTexts reverses flatTexts', () => expect(nestTexts(flattenTexts(GERMAN))).toEqual(GERMAN))

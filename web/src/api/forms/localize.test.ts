import { describe, expect, it } from 'vitest'
import { localizeDefinition, type Translations } from './localize'

const form = {
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
    { id: 'rows', type: 'table', label: 'Rows', columns: [{ id: 'name', type: 'text', label: 'Name' }] },
    { id: 'note', type: 'label', label: 'Note', text: 'Read this.' },
    { id: 'live', type: 'boolean', label: 'Live', trueLabel: 'On', falseLabel: 'Off' },
  ],
  layout: [
    {
      kind: 'columns',
      columns: [
        [{ kind: 'group', id: 'outer', label: 'Outer', children: [{ kind: 'field', field: 'headline' }] }],
        [
          {
            kind: 'grid',
            columns: 2,
            children: [{ kind: 'group', id: 'inner', label: 'Inner', children: [] }],
          },
        ],
      ],
    },
  ],
}

const inGerman = (texts: Translations[string]) =>
  localizeDefinition({ ...form, translations: { de: texts } }, 'de')

describe('localizeDefinition', () => {
  it.each([
    ['none', form],
    ['null', { ...form, translations: null }],
    ['another language', { ...form, translations: { fr: { name: 'Article' } } }],
  ])('answers the definition itself with %s', (_, definition) =>
    expect(localizeDefinition(definition, 'de')).toBe(definition),
  )

  it('takes only the language itself', () => {
    const definition = { ...form, translations: { 'pt-BR': { name: 'Publicação' } } }
    expect(localizeDefinition(definition, 'pt').name).toBe('Post')
    expect(localizeDefinition(definition, 'pt-BR').name).toBe('Publicação')
    expect(localizeDefinition(definition, 'toString')).toBe(definition)
  })

  it('translates every text of a field, and leaves the others', () => {
    const [headline, , , , , live] = inGerman({
      fields: {
        headline: { label: 'Überschrift', placeholder: 'Neues' },
        live: { trueLabel: 'An', falseLabel: 'Aus' },
      },
    }).fields
    expect(headline).toEqual({ ...form.fields[0], label: 'Überschrift', placeholder: 'Neues' })
    expect(live).toEqual({ ...form.fields[5], trueLabel: 'An', falseLabel: 'Aus' })
  })

  it('translates options, and keeps the label that values hold', () => {
    const { fields } = inGerman({ fields: { channel: { options: { mail: { label: 'E-Mail' } } } } })
    expect(fields[1]?.label).toBe('Channel')
    expect(fields[1]?.options).toEqual([
      { id: 'mail', label: 'E-Mail', original: 'Email' },
      { id: 'blog', label: 'Blog' },
    ])
  })

  it('translates the fields of lists and tables', () => {
    const { fields } = inGerman({
      fields: {
        items: {
          fields: {
            price: { label: 'Preis', unit: 'Euro' },
            size: { options: { s: { label: 'Klein' } } },
          },
        },
        rows: { label: 'Zeilen', fields: { name: { label: 'Name der Zeile' } } },
      },
    })
    expect(fields[2]).toMatchObject({
      label: 'Items',
      item: [
        { label: 'Preis', unit: 'Euro' },
        { label: 'Size', options: [{ id: 's', label: 'Klein', original: 'Small' }] },
      ],
    })
    expect(fields[3]).toMatchObject({ label: 'Zeilen', columns: [{ label: 'Name der Zeile' }] })
  })

  it("keeps a note's own text, to tell it from one that a request sends", () => {
    const { fields } = inGerman({ fields: { note: { text: 'Lies das.' } } })
    expect(fields[4]).toMatchObject({ text: 'Lies das.', original: 'Read this.' })
  })

  it('translates groups, however deep they are', () => {
    const { layout } = inGerman({ groups: { outer: { label: 'Außen' }, inner: { label: 'Innen' } } })
    expect(JSON.stringify(layout)).toBe(
      JSON.stringify(form.layout).replace('Outer', 'Außen').replace('Inner', 'Innen'),
    )
  })

  it('ignores what the definition does not have', () => {
    const definition = inGerman({
      fields: { gone: { label: 'Weg' }, headline: { options: { x: { label: 'X' } } } },
      groups: { gone: { label: 'Weg' } },
    })
    expect(definition.fields.map(field => field.label)).toEqual(form.fields.map(field => field.label))
    expect(definition.layout).toEqual(form.layout)
  })

  it('works without a layout, and for IDs that objects have by themselves', () => {
    const definition = {
      name: 'Post',
      fields: [{ id: 'constructor', type: 'text', label: 'A' }],
      layout: null,
      translations: { de: { fields: { other: { label: 'B' } }, groups: {} } },
    }
    expect(localizeDefinition(definition, 'de').fields).toEqual(definition.fields)
  })

  it('changes nothing in the definition it is given', () => {
    const before = JSON.stringify(form)
    inGerman({
      name: 'Beitrag',
      fields: { channel: { label: 'Kanal', options: { mail: { label: 'E-Mail' } } } },
      groups: { outer: { label: 'Außen' } },
    })
    expect(JSON.stringify(form)).toBe(before)
  })
})

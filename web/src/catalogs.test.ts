import { formatter } from '@lingui/format-po'
import { parse, type Token } from '@messageformat/parser'
import { describe, expect, it } from 'vitest'

const sources = import.meta.glob<string>(['./locales/*.po', '!./locales/en.po'], {
  query: '?raw',
  import: 'default',
  eager: true,
})

type Entry = { message: string; translation: string }

/** What a translation must have in common with the English text: placeholders and tags. */
function partsOf(tokens: readonly Token[], parts = new Set<string>()): Set<string> {
  for (const token of tokens) {
    if (token.type === 'content') for (const [tag] of token.value.matchAll(/<\/?\d+\/?>/g)) parts.add(tag)
    if ('arg' in token) parts.add(token.arg)
    if ('cases' in token) for (const { tokens: inner } of token.cases) partsOf(inner, parts)
  }
  return parts
}

/** The cases of each plural, sorted; `=0` and the like may be added to those of the language. */
function pluralCases(tokens: readonly Token[], type: 'plural' | 'selectordinal'): string[][] {
  return tokens.flatMap(token => {
    if (!('cases' in token)) return []
    const own = token.cases.map(({ key }) => key).filter(key => !key.startsWith('='))
    return [
      ...(token.type === type ? [own.toSorted()] : []),
      ...token.cases.flatMap(({ tokens: inner }) => pluralCases(inner, type)),
    ]
  })
}

const categories = (locale: string, type: Intl.PluralRuleType) =>
  new Intl.PluralRules(locale, { type }).resolvedOptions().pluralCategories.toSorted()

describe.each(Object.entries(sources))('%s', (path, text) => {
  const locale = path.replace(/.*\/(.+)\.po/, '$1')
  const context = { locale, sourceLocale: 'en', filename: path }
  const catalog = formatter().parse(text, context) as Record<string, Entry>
  const all = Object.values(catalog)
  const translated = all.filter(({ translation }) => translation)

  it('has every message', () => {
    expect(all.filter(({ translation }) => !translation).map(({ message }) => message)).toEqual([])
  })
  it('has the placeholders and elements of the English messages', () => {
    expect(all.length).toBeGreaterThan(1_000)
    for (const { message, translation } of translated)
      expect(partsOf(parse(translation)), translation).toEqual(partsOf(parse(message)))
  })
  it('has a text for each plural form of the language', () => {
    for (const { translation } of translated) {
      for (const cases of pluralCases(parse(translation), 'plural'))
        expect(cases, translation).toEqual(categories(locale, 'cardinal'))
      for (const cases of pluralCases(parse(translation), 'selectordinal'))
        expect(cases, translation).toEqual(categories(locale, 'ordinal'))
    }
  })
})

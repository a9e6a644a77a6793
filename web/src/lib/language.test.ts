// @vitest-environment jsdom
import { plural, t } from '@lingui/core/macro'
import { compileMessage } from '@lingui/message-utils/compileMessage'
import { generateMessageId } from '@lingui/message-utils/generateMessageId'
import { afterEach, describe, expect, it, vi } from 'vitest'
import {
  chooseLanguage,
  getBrowserLanguage,
  getLastLanguage,
  i18n,
  LANGUAGES,
  matchLanguage,
  requestLanguage,
  setLanguage,
} from './i18n'

const browserIs = (...languages: string[]) =>
  vi.spyOn(navigator, 'languages', 'get').mockReturnValue(languages)

afterEach(async () => {
  vi.restoreAllMocks()
  localStorage.clear()
  await requestLanguage(undefined)
  await setLanguage('en')
})

describe('the language for a tag', () => {
  it.each([
    ['de-AT', 'de'],
    ['pt', 'pt-BR'],
    ['pt-PT', 'pt-BR'],
    ['zh-CN', 'zh-Hans'],
    ['AR-eg', 'ar'],
    ['en-US@posix', 'en'],
    ['nl', undefined],
    ['', undefined],
    [null, undefined],
  ])('%s: %s', (tag, language) => {
    expect(matchLanguage(tag)).toBe(language)
  })
})

describe('the language of a browser', () => {
  it('is the first of its languages that we have', () => {
    browserIs('nl', 'fr-CA', 'de')
    expect(getBrowserLanguage()).toBe('fr')
  })
  it('is English if we have none of them', () => {
    browserIs('nl')
    expect(getBrowserLanguage()).toBe('en')
  })
  it('is what was chosen in it', async () => {
    browserIs('fr')
    await chooseLanguage('ja')
    expect(getBrowserLanguage()).toBe('ja')
    expect(i18n.locale).toBe('ja')
  })
  it('gives way to what a review asks for, unless it was chosen', async () => {
    browserIs('fr')
    await requestLanguage('de')
    expect(i18n.locale).toBe('de')
    await chooseLanguage('ja')
    await requestLanguage('de')
    expect(i18n.locale).toBe('ja')
  })
})

describe('a page', () => {
  it.each(LANGUAGES)('can be in %s, and says so', async language => {
    await setLanguage(language)
    expect(i18n.locale).toBe(language)
    expect(document.documentElement.lang).toBe(language)
    expect(document.documentElement.dir).toBe(language === 'ar' ? 'rtl' : 'ltr')
  })
  it('begins in the language of the last one', async () => {
    browserIs('en')
    await setLanguage('es')
    expect(getLastLanguage()).toBe('es')
    expect(getBrowserLanguage()).toBe('en')
  })
  it('is in the language that was chosen last, whichever comes first', async () => {
    await Promise.all([setLanguage('de'), setLanguage('en')])
    expect(i18n.locale).toBe('en')
  })
  it('writes numbers as the browser does, if that is of the same language', async () => {
    browserIs('de-CH', 'en-GB')
    await setLanguage('de')
    expect(i18n.locales).toEqual(['de-CH', 'de'])
  })
})

describe('plurals', () => {
  const errors = (count: number) => t`${plural(count + 0, { one: '# error', other: '# errors' })}`
  it.each([
    ['en', 1, '1 error'],
    ['en', 3, '3 errors'],
    ['de', 3, '3 Fehler'],
    ['ar', 2, 'خطآن'],
    ['ar', 3, '3 أخطاء'],
    ['ar', 11, '11 خطأً'],
    ['ar', 100, '100 خطأ'],
  ] as const)('in %s of %i: %s', async (language, count, text) => {
    await setLanguage(language)
    expect(errors(count)).toBe(text)
  })
  it.each([
    [1, '1 błąd'],
    [2, '2 błędy'],
    [5, '5 błędów'],
    [12, '12 błędów'],
    [22, '22 błędy'],
  ])('in a language with three forms of %i: %s', (count, text) => {
    const polish = '{0, plural, one {# błąd} few {# błędy} many {# błędów} other {# błędu}}'
    const messages = {
      [generateMessageId('{0, plural, one {# error} other {# errors}}')]: compileMessage(polish),
    }
    i18n.loadAndActivate({ locale: 'pl', messages })
    expect(errors(count)).toBe(text)
  })
})

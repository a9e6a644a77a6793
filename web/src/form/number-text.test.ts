import { afterEach, describe, expect, it } from 'vitest'
import { i18n, type Language } from '@/lib/i18n'
import { numberOrText, typedForm } from './number-text'

const speak = (locale: Language | 'ar-EG') => i18n.loadAndActivate({ locale, messages: {} })

afterEach(() => speak('en'))

describe('what is typed', () => {
  it.each([
    ['en', '1.5', 1.5],
    ['en', '1.234', 1.234],
    ['en', '1,5', '1,5'],
    ['de', '1,5', 1.5],
    ['de', '1.5', 1.5],
    ['de', '1,234', 1.234],
    ['de', '1.234', '1.234'],
    ['de', '1.234,5', '1.234,5'],
    ['fr', '-0,25', -0.25],
    ['ja', '１２.５', 12.5],
    ['ar', '٣', 3],
    ['ar-EG', '١٫٥', 1.5],
  ] as const)('in %s, %s means %j', (language, typed, value) => {
    speak(language)
    expect(numberOrText(typed)).toBe(value)
  })
})

describe('a number', () => {
  it.each(['en', 'de', 'fr', 'es', 'pt-BR', 'ja', 'zh-Hans', 'ar', 'ar-EG'] as const)(
    'is the same however often it is shown and read in %s',
    language => {
      speak(language)
      for (const value of [0, -1, 1.5, 1.234, 1234, 1234567.891, 1e21, 1.5e-9])
        expect(numberOrText(typedForm(value))).toBe(value)
    },
  )
  it('is written with the decimal mark of the language', () => {
    speak('de')
    expect(typedForm(1.5)).toBe('1,5')
    expect(typedForm('1.5x')).toBe('1.5x')
  })
})

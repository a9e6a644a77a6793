import { afterEach, describe, expect, it } from 'vitest'
import { formatNumber, i18n, type Language } from '@/lib/i18n'
import { parseNumberOrText, toTypedText } from './number-text'

const speak = (locale: Language | 'ar-EG') => i18n.loadAndActivate({ locale, messages: {} })

/** Numbers of every size with up to six decimals, the same in every run. */
function numbers(count: number): number[] {
  let state = 17
  const next = () => {
    state = (state * 48_271) % 2_147_483_647
    return state / 2_147_483_647
  }
  return Array.from({ length: count }, () => {
    const size = 10 ** Math.floor(next() * 9)
    const decimals = Math.floor(next() * 7)
    return Number(((next() - 0.5) * size).toFixed(decimals))
  }).filter(value => !Object.is(value, -0))
}

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
    ['de', '0.234', 0.234],
    ['de', '1.234,5', 1234.5],
    ['de', '1.234.567', 1234567],
    ['de', '1,234.5', '1,234.5'],
    ['de', '1.23.456', '1.23.456'],
    ['de', '1,234,567', '1,234,567'],
    ['en', '1,234', '1,234'],
    ['en', '1,234.5', 1234.5],
    ['en', '1,234,567', 1234567],
    ['en', '12,34', '12,34'],
    ['en', '\u22125', -5],
    ['es', '12.345', '12.345'],
    ['fr', '1\u202f234,5', 1234.5],
    ['fr', '12 345', 12345],
    ['fr', '-0,25', -0.25],
    ['ja', '１２.５', 12.5],
    ['ar', '٣', 3],
    ['ar', '١٫٥', 1.5],
    ['ar-EG', '١٫٥', 1.5],
    ['ar-EG', '١٬٢٣٤٫٥', 1234.5],
    ['ar-EG', '١.٢٣٤', '١.٢٣٤'],
    ['ar-EG', '\u061c-٣', -3],
  ] as const)('in %s, %s means %j', (language, typed, value) => {
    speak(language)
    expect(parseNumberOrText(typed)).toBe(value)
  })
})

describe('a number', () => {
  it.each(['en', 'de', 'fr', 'es', 'pt-BR', 'ja', 'zh-Hans', 'ar', 'ar-EG'] as const)(
    'is the same however often it is shown and read in %s',
    language => {
      speak(language)
      for (const value of [0, -1, 1.5, 1.234, 1234, 1234567.891, 1e21, 1.5e-9, ...numbers(300)])
        expect(parseNumberOrText(toTypedText(value))).toBe(value)
    },
  )
  it.each(['en', 'de', 'fr', 'es', 'pt-BR', 'ja', 'zh-Hans', 'ar', 'ar-EG'] as const)(
    'is never another one when it is copied from a page in %s',
    language => {
      speak(language)
      for (const value of numbers(300)) {
        const shown = formatNumber(value, { maximumFractionDigits: 20 })
        const read = parseNumberOrText(shown)
        if (typeof read === 'number') expect(read, shown).toBe(value)
        else expect(shown).toMatch(/^\D*\d{1,3}[.,]\d{3}$/)
      }
    },
  )
  it('is written with the decimal mark of the language', () => {
    speak('de')
    expect(toTypedText(1.5)).toBe('1,5')
    expect(toTypedText('1.5x')).toBe('1.5x')
  })
})

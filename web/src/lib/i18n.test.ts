import { plural, t } from '@lingui/core/macro'
import { describe, expect, it } from 'vitest'
import { formatList, formatNumber, formatPercent, formatUnit, i18n } from './i18n'

/** The values of a message that nobody sees. */
const items = (count: number) => t`${plural(count, { one: '# item', other: '# items' })} left`

describe('English', () => {
  it.each([
    [0, '0 items left'],
    [1, '1 item left'],
    [1234, '1,234 items left'],
  ])('needs no catalog: %i', (count, text) => {
    expect(items(count)).toBe(text)
  })
  it('is what a language shows that has no translation', () => {
    i18n.loadAndActivate({ locale: 'ar', messages: {} })
    try {
      expect(items(2)).toContain('items left')
    } finally {
      i18n.loadAndActivate({ locale: 'en', messages: {} })
    }
  })
})

describe('numbers and lists', () => {
  it('follow the language of the page', () => {
    expect(formatNumber(1234.5)).toBe('1,234.5')
    expect(formatPercent(0.126, 1)).toBe('12.6%')
    expect(formatList(['a', 'b', 'c'])).toBe('a, b, and c')
    expect(formatUnit(3, 'hour')).toBe('3h')
    i18n.loadAndActivate({ locale: 'de', messages: {} })
    try {
      expect(formatNumber(1234.5)).toBe('1.234,5')
      expect(formatList(['a', 'b', 'c'], 'disjunction')).toBe('a, b oder c')
      expect(formatUnit(3, 'hour')).toMatch(/^3\sStd\.$/)
    } finally {
      i18n.loadAndActivate({ locale: 'en', messages: {} })
    }
  })
})

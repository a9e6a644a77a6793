import { describe, expect, it } from 'vitest'
import { FIELD_SETTINGS } from '@/api/field-settings'
import { countWays, MAX_PATTERN_INPUT, matchesPattern } from './patterns'
import { readVectors } from './vectors'

type Vectors = {
  patterns: { pattern: string; matching: string[]; others: string[]; browser: boolean }[]
  explosive: { pattern: string; text: string }[]
  refused: string[]
}

const vectors = readVectors('patterns') as Vectors

describe('patterns', () => {
  it('are tried on texts as long as the service takes', () => {
    expect(MAX_PATTERN_INPUT).toBe(FIELD_SETTINGS.text.pattern.maxValueLength)
  })

  it.each(vectors.patterns)(
    '$pattern means what it means to the service',
    ({ pattern, matching, others, browser }) => {
      const expected = (answer: boolean) => (browser ? answer : undefined)
      expect(matching.map(text => matchesPattern(pattern, text))).toEqual(matching.map(() => expected(true)))
      expect(others.map(text => matchesPattern(pattern, text))).toEqual(others.map(() => expected(false)))
    },
  )

  it.each(vectors.explosive)('$pattern is left to the service, whatever the length', ({ pattern, text }) => {
    expect(matchesPattern(pattern, text)).toBeUndefined()
    expect(matchesPattern(pattern, '')).toBeUndefined()
  })

  it.each(vectors.refused)('%s, which the service refuses, does not break the page', pattern => {
    expect(() => matchesPattern(pattern, 'a'.repeat(2_000))).not.toThrow()
  })

  it('counts the ways through a pattern', () => {
    expect(countWays('abc')).toBe(1)
    expect(countWays('(cat|dog)s?')).toBe(4)
    expect(countWays('\\d{1,3}\\.\\d{1,3}')).toBe(9)
    expect(countWays('a*b*')).toBeGreaterThan(1_000_000)
    expect(countWays('(a+)+b')).toBe(Number.POSITIVE_INFINITY)
  })
})

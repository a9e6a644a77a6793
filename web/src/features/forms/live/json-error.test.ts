import { describe, expect, it } from 'vitest'
import { describeJsonError, findJsonError } from './json-error'

describe('findJsonError', () => {
  it.each([
    '{}',
    '[]',
    ' {"a": [1, -2.5e+3, "x\\n\\u00e9", true, false, null], "b": {"c": []}} ',
    '"text"',
    '0',
  ])('%s has none', text => {
    expect(() => JSON.parse(text)).not.toThrow()
    expect(findJsonError(text)).toBeNull()
  })

  it.each([
    ['', 0],
    ['{', 1],
    ['{"a" 1}', 5],
    ['{"a": 1,}', 8],
    ['[1 2]', 3],
    ['[1, ]', 4],
    ['{a: 1}', 1],
    ["{'a': 1}", 1],
    ['{"a": 01}', 7],
    ['{"a": TRUE}', 6],
    ['{"a": 1]', 7],
    ['{} x', 3],
    ['{"a": "open', 6],
    ['{"a": "new\nline"}', 6],
  ])('%s has one at %d', (text, at) => {
    expect(() => JSON.parse(text)).toThrow()
    expect(findJsonError(text)).toBe(at)
  })
})

it('names the line and the column', () => {
  expect(describeJsonError('{\n  "a": 1\n  "b": 2\n}')).toBe('Invalid JSON at line 3, column 3.')
  expect(describeJsonError('{')).toBe('Invalid JSON: unexpected end of text.')
})

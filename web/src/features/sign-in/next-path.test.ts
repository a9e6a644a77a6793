import { describe, expect, it } from 'vitest'
import { getNextPath } from './next-path'

const ORIGIN = 'https://signoff.example.com'

describe('getNextPath', () => {
  it.each([
    ['/reviews/rev_1?view=all', '/reviews/rev_1?view=all'],
    ['/settings/people#x', '/settings/people#x'],
    [undefined, '/'],
    ['', '/'],
    ['reviews', '/'],
    ['https://evil.example.com/', '/'],
    ['//evil.example.com', '/'],
    ['/\\evil.example.com', '/'],
    ['/\t/evil.example.com', '/'],
    ['/..//evil.example.com', '/'],
    ['javascript:alert(1)', '/'],
    ['/a b', '/a%20b'],
    ['/reviews/ä', '/reviews/%C3%A4'],
    ['/sign-in?token=x', '/'],
    ['//[', '/'],
  ])('%s leads to %s', (next, path) => {
    expect(getNextPath(next, '/', ORIGIN)).toBe(path)
  })

  it.each([
    ['/reviews/rev_1', '/inbox/reviews/rev_1'],
    ['/inbox/reviews/rev_1', '/inbox/reviews/rev_1'],
    ['/inbox/', '/inbox/'],
    [undefined, '/inbox/'],
    ['//evil.example.com', '/inbox/'],
    ['/inbox/sign-in', '/inbox/'],
  ])('below a proxy, %s leads to %s', (next, path) => {
    expect(getNextPath(next, '/inbox/', ORIGIN)).toBe(path)
  })
})

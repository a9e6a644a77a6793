import { describe, expect, it } from 'vitest'
import { highlightMatches } from './highlight'

const marked = (text: string, q: string | undefined) =>
  highlightMatches(text, q)
    .map(piece => (piece.isHit ? `[${piece.text}]` : piece.text))
    .join('')

describe('highlightMatches', () => {
  it.each([
    ['Autumn news', undefined, 'Autumn news'],
    ['Autumn news', '', 'Autumn news'],
    ['Autumn news', 'news', 'Autumn [news]'],
    ['Autumn news', 'NEW', 'Autumn [new]s'],
    ['Autumn news', 'new aut', '[Aut]umn [new]s'],
    ['Renewal', 'new', 'Renewal'],
    ['News or not', 'or', 'News or not'],
    ['Draft and final', 'draft -final', '[Draft] and final'],
    ['The big plan', '"big plan"', 'The [big] [plan]'],
    ['Übergröße', 'über', '[Über]größe'],
    ['a.b (c)', '(c', 'a.b ([c])'],
    ['$^*', '$^*', '$^*'],
    ['', 'x', ''],
  ])('%s for %s', (text, q, expected) => {
    expect(marked(text, q)).toBe(expected)
  })

  it('loses nothing of the text', () => {
    const text = 'one two  one\tthree <b>one</b>'
    expect(
      highlightMatches(text, 'one b')
        .map(piece => piece.text)
        .join(''),
    ).toBe(text)
  })
})

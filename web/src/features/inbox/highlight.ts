export type Piece = { text: string; isHit: boolean }

/** Splits a text to highlight the words that start with a searched word. */
export function highlightMatches(text: string, q: string | undefined): Piece[] {
  const wanted = splitWords(q ?? '')
  if (wanted.length === 0) return [{ text, isHit: false }]
  const beginning = new RegExp(`(?<![\\p{L}\\p{N}])(?:${wanted.map(escapePattern).join('|')})`, 'giu')
  const pieces: Piece[] = []
  let end = 0
  for (const hit of text.matchAll(beginning)) {
    if (hit.index > end) pieces.push({ text: text.slice(end, hit.index), isHit: false })
    pieces.push({ text: hit[0], isHit: true })
    end = hit.index + hit[0].length
  }
  if (end < text.length) pieces.push({ text: text.slice(end), isHit: false })
  return pieces
}

/** The words of a search that must match: not those after a minus, and not `or`. */
function splitWords(q: string): string[] {
  return q
    .split(/[\s"]+/)
    .filter(word => word && !word.startsWith('-') && word.toLowerCase() !== 'or')
    .flatMap(word => word.match(/[\p{L}\p{N}]+/gu) ?? [])
    .sort((a, b) => b.length - a.length)
    .slice(0, 20)
}

const escapePattern = (word: string): string => word.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')

/**
 * Patterns that the browser can safely try. Its regular expressions backtrack, so a careless or hostile pattern could
 * freeze the page. A pattern is tried here only if the ways through it can be counted and are few; the service, whose
 * engine takes linear time, checks all others when the review is submitted.
 */

/** Each way takes at most one step for each of 2,000 characters: a tenth of a second in total, at worst. */
const MAX_WAYS = 20_000
/** The longest text that a pattern is tried on, which limits how often `*` and `+` can repeat. */
export const MAX_PATTERN_INPUT = 2_000

const QUANTIFIER = /^(?:[*+?]|\{(\d{1,4})(,(\d{0,4}))?\})\??/
const ATOM = /^(?:\[\^?(?:\\.|[^\]\\])*\]|\\.|[^()[\]|*+?{}\\])/su

/** Whether the whole text matches. `undefined`: only the service can tell. */
export function matchesPattern(pattern: string, text: string): boolean | undefined {
  const compiled = getCompiledPattern(pattern)
  return compiled?.test(text)
}

const compiled = new Map<string, RegExp | undefined>()

function getCompiledPattern(pattern: string): RegExp | undefined {
  if (!compiled.has(pattern)) {
    if (compiled.size >= 1_000) compiled.clear()
    compiled.set(pattern, compile(pattern))
  }
  return compiled.get(pattern)
}

function compile(pattern: string): RegExp | undefined {
  if (!(countWays(pattern) <= MAX_WAYS)) return undefined
  try {
    return new RegExp(`^(?:${pattern})$`, 'u')
  } catch {
    // The pattern's syntax is only valid in the service's engine.
    return undefined
  }
}

/** An upper bound for the number of ways in which a text can match the pattern. `Infinity`: unknown. */
export function countWays(pattern: string): number {
  const rest = { text: pattern }
  const ways = countAlternatives(rest)
  return rest.text === '' ? ways : Number.POSITIVE_INFINITY
}

function countAlternatives(rest: { text: string }): number {
  let ways = countSequence(rest)
  while (rest.text.startsWith('|')) {
    rest.text = rest.text.slice(1)
    ways += countSequence(rest)
  }
  return ways
}

function countSequence(rest: { text: string }): number {
  let ways = 1
  while (rest.text !== '' && !/^[|)]/.test(rest.text)) ways *= countRepetitions(rest)
  return ways
}

function countRepetitions(rest: { text: string }): number {
  const once = countAtom(rest)
  const quantifier = QUANTIFIER.exec(rest.text)
  if (!quantifier) return once
  rest.text = rest.text.slice(quantifier[0].length)
  const [least, most] = parseQuantifier(quantifier)
  // Repeating something with several ways, or of no length, multiplies them with each repetition.
  if (once !== 1) return most <= 1 ? once + 1 : Number.POSITIVE_INFINITY
  return most - least + 1
}

function parseQuantifier([sign, low, comma, high]: RegExpExecArray): [number, number] {
  if (low === undefined) return sign.startsWith('?') ? [0, 1] : [0, MAX_PATTERN_INPUT]
  const least = Number(low)
  return [least, comma === undefined ? least : high ? Number(high) : Math.max(least, MAX_PATTERN_INPUT)]
}

function countAtom(rest: { text: string }): number {
  const group = /^\((?:\?:)?/.exec(rest.text)
  if (!group) {
    const single = ATOM.exec(rest.text)
    rest.text = single ? rest.text.slice(single[0].length) : ''
    return single ? 1 : Number.POSITIVE_INFINITY
  }
  rest.text = rest.text.slice(group[0].length)
  const ways = countAlternatives(rest)
  if (!rest.text.startsWith(')')) return Number.POSITIVE_INFINITY
  rest.text = rest.text.slice(1)
  return ways
}

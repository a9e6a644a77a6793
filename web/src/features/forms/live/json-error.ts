import { t } from '@lingui/core/macro'
import { formatNumber } from '@/lib/i18n'

/** A JSON token: punctuation, a string, a number or a literal. */
const TOKEN =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: JSON strings may not contain them.
  /[{}[\],:]|"(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[\da-fA-F]{4}))*"|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/uy
const SPACE = /[ \t\r\n]*/y

type Expected = 'value' | 'valueOrEnd' | 'key' | 'keyOrEnd' | 'colon' | 'comma' | 'nothing'

function matchAt(pattern: RegExp, text: string, at: number): string | null {
  pattern.lastIndex = at
  return pattern.exec(text)?.[0] ?? null
}

/**
 * The position where text stops being JSON; null if it's valid. Browsers report this in different ways, or not at all.
 */
export function findJsonError(text: string): number | null {
  const closers: string[] = []
  let expected: Expected = 'value'
  for (let at = 0; ; ) {
    at += matchAt(SPACE, text, at)?.length ?? 0
    if (at >= text.length) return expected === 'nothing' ? null : at
    const token = matchAt(TOKEN, text, at)
    const next: Expected | null = token === null ? null : follow(token, expected, closers)
    if (token === null || next === null) return at
    expected = next
    at += token.length
  }
}

/** What may follow a token; null if the token isn't allowed here. */
function follow(token: string, expected: Expected, closers: string[]): Expected | null {
  const getExpectedAfterValue = (): Expected => (closers.length > 0 ? 'comma' : 'nothing')
  const mayClose = ['comma', 'valueOrEnd', 'keyOrEnd'].includes(expected)
  if (token === '}' || token === ']')
    return mayClose && closers.pop() === token ? getExpectedAfterValue() : null
  switch (expected) {
    case 'colon':
      return token === ':' ? 'value' : null
    case 'comma':
      if (token !== ',') return null
      return closers.at(-1) === '}' ? 'key' : 'value'
    case 'key':
    case 'keyOrEnd':
      return token.startsWith('"') ? 'colon' : null
    case 'value':
    case 'valueOrEnd':
      if (token === ',' || token === ':') return null
      if (token !== '{' && token !== '[') return getExpectedAfterValue()
      closers.push(token === '{' ? '}' : ']')
      return token === '{' ? 'keyOrEnd' : 'valueOrEnd'
    case 'nothing':
      return null
  }
}

/** The error message for text that isn't JSON. */
export function describeJsonError(text: string): string {
  const at = findJsonError(text)
  if (at === null) return t`Invalid JSON.`
  if (at >= text.length) return t`Invalid JSON: unexpected end of text.`
  const before = text.slice(0, at).split('\n')
  const line = formatNumber(before.length)
  const column = formatNumber((before.at(-1)?.length ?? 0) + 1)
  return t`Invalid JSON at line ${line}, column ${column}.`
}

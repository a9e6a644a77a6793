/** Counts, sorts and trims texts as the server does: by code points. */

/** The number of code points; a character outside the basic plane takes two units of a JavaScript string. */
export function countCharacters(text: string): number {
  let count = text.length
  for (let index = 0; index < text.length - 1; index += 1) {
    const unit = text.charCodeAt(index)
    if (unit < 0xd800 || unit > 0xdbff) continue
    const next = text.charCodeAt(index + 1)
    if (next < 0xdc00 || next > 0xdfff) continue
    count -= 1
    index += 1
  }
  return count
}

/** Whether there are more code points than that, without counting if the length is decisive. */
export const isLongerThan = (text: string, most: number): boolean =>
  text.length > most && (text.length > 2 * most || countCharacters(text) > most)

export const isShorterThan = (text: string, least: number): boolean =>
  text.length < 2 * least && countCharacters(text) < least

/** Negative, zero or positive, by code point; `<` on JavaScript strings compares halves of surrogate pairs. */
export function compareText(left: string, right: string): number {
  const most = Math.min(left.length, right.length)
  for (let index = 0; index < most; index += 1) {
    if (left.charCodeAt(index) === right.charCodeAt(index)) continue
    return rank(left.charCodeAt(index)) - rank(right.charCodeAt(index))
  }
  return left.length - right.length
}

/** Surrogates stand for code points above the basic plane. */
const rank = (unit: number): number => (unit >= 0xd800 && unit <= 0xdfff ? unit + 0x10000 : unit)

/** White space as the server defines it, for a character class of a regular expression. */
export const SPACE = '\\t-\\r\\x1c-\\x20\\x85\\xa0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000'

const NOT_SPACE = new RegExp(`[^${SPACE}]`, 'u')

/** White space alone counts as empty. */
export const isBlank = (text: string): boolean => !NOT_SPACE.test(text)

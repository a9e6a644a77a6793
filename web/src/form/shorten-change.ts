import { plural, t } from '@lingui/core/macro'

export type Part = { kind: 'same' | 'gone' | 'new' | 'left out'; text: string }

const CONTEXT_LENGTH = 240
const MAX_CHANGED = 10_000

/** Leaves out unchanged text far from a change, and limits the length to what people read. */
export function shortenChange(parts: readonly Part[]): Part[] {
  const shown = parts.filter(part => part.text !== '')
  return shown.flatMap((part, index): Part[] => {
    if (part.kind !== 'same') {
      if (part.text.length <= MAX_CHANGED) return [part]
      return [{ ...part, text: part.text.slice(0, MAX_CHANGED) }, hiddenPart(part.text.length - MAX_CHANGED)]
    }
    const start = index === 0 ? '' : part.text.slice(0, CONTEXT_LENGTH)
    const end = index === shown.length - 1 ? '' : part.text.slice(-CONTEXT_LENGTH)
    const between = part.text.length - start.length - end.length
    if (between < CONTEXT_LENGTH) return [part]
    return [{ kind: 'same', text: start }, hiddenPart(between), { kind: 'same', text: end }]
  })
}

function hiddenPart(count: number): Part {
  const text = t`[… ${plural(count, { one: '# character', other: '# characters' })} hidden …]`
  return { kind: 'left out', text: ` ${text} ` }
}

/** What two texts have in common at the beginning and at the end, in whole words. */
export function findCommonEnds(before: string, now: string): { head: string; tail: string } {
  const most = Math.min(before.length, now.length)
  let start = 0
  while (start < most && before.charCodeAt(start) === now.charCodeAt(start)) start += 1
  if (start < before.length || start < now.length) while (start > 0 && !isGap(before, start - 1)) start -= 1
  let end = 0
  while (
    end < most - start &&
    before.charCodeAt(before.length - 1 - end) === now.charCodeAt(now.length - 1 - end)
  )
    end += 1
  while (end > 0 && !isGap(before, before.length - end)) end -= 1
  return { head: before.slice(0, start), tail: end === 0 ? '' : before.slice(-end) }
}

const isGap = (text: string, index: number): boolean => /\s/.test(text.charAt(index))

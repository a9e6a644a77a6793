import { type Change, diffLines, diffWordsWithSpace } from 'diff'
import { useMemo } from 'react'
import { findCommonEnds, type Part, shortenChange } from './shorten-change'

type Props = { before: string; now: string; byLine: boolean }

/** Long enough for any text that people edit; two unrelated long texts are shown one after the other instead. */
const MAX_SEARCH_LENGTH = 400

export default function TextChange({ before, now, byLine }: Props) {
  const parts = useMemo(() => shortenChange(compare(before, now, byLine)), [before, now, byLine])
  return (
    <div dir="auto" className="max-h-96 overflow-y-auto whitespace-pre-wrap [overflow-wrap:anywhere]">
      {parts.map((part, index) => {
        const key = `${index} ${part.kind}`
        if (part.kind === 'gone') {
          return (
            <del key={key} className="rounded-sm bg-bad-soft text-bad">
              {part.text}
            </del>
          )
        }
        if (part.kind === 'new') {
          return (
            <ins key={key} className="rounded-sm bg-good-soft text-good no-underline">
              {part.text}
            </ins>
          )
        }
        return (
          <span key={key} className={part.kind === 'left out' ? 'text-muted' : undefined}>
            {part.text}
          </span>
        )
      })}
    </div>
  )
}

function compare(before: string, now: string, byLine: boolean): Part[] {
  // Common text at both ends needs no search; in a long text that is nearly everything.
  const { head, tail } = findCommonEnds(before, now)
  const [old, fresh] = [
    before.slice(head.length, before.length - tail.length),
    now.slice(head.length, now.length - tail.length),
  ]
  const options = { timeout: MAX_SEARCH_LENGTH }
  const found: Change[] | undefined = byLine
    ? diffLines(old, fresh, options)
    : diffWordsWithSpace(old, fresh, options)
  const middle: Part[] =
    found === undefined
      ? [
          { kind: 'gone', text: old },
          { kind: 'new', text: fresh },
        ]
      : found.map(part => ({ kind: part.added ? 'new' : part.removed ? 'gone' : 'same', text: part.value }))
  return [{ kind: 'same', text: head }, ...middle, { kind: 'same', text: tail }]
}

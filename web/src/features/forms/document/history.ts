/** The undo and redo history. Documents are immutable, so keeping them all costs little. */

import type { EditorDocument } from './types'

export type History = {
  past: readonly EditorDocument[]
  present: EditorDocument
  future: readonly EditorDocument[]
  /** What the latest change was about, and when: undo reverts a word, not one letter. */
  latest: { about: string; at: number } | null
}

const ONE_STEP = 1_200

export const startHistory = (present: EditorDocument): History => ({
  past: [],
  present,
  future: [],
  latest: null,
})

export function recordChange(
  history: History,
  next: EditorDocument,
  about: string | null,
  now: number,
): History {
  if (next === history.present) return history
  const { latest } = history
  const goesOn = about !== null && latest?.about === about && now - latest.at < ONE_STEP
  return {
    past: goesOn ? history.past : [...history.past, history.present],
    present: next,
    future: [],
    latest: about === null ? null : { about, at: now },
  }
}

export function undo(history: History): History {
  const before = history.past.at(-1)
  if (before === undefined) return history
  return {
    past: history.past.slice(0, -1),
    present: before,
    future: [history.present, ...history.future],
    latest: null,
  }
}

export function redo(history: History): History {
  const [next, ...rest] = history.future
  if (next === undefined) return history
  return { past: [...history.past, history.present], present: next, future: rest, latest: null }
}

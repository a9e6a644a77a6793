import { useCallback, useMemo, useReducer, useState } from 'react'
import type { JsonObject } from '@/form'
import { type History, recordChange, redo, startHistory, undo } from '../document/history'
import { fillIn } from '../document/sample'
import type { EditorDocument } from '../document/types'
import { readSample, type SavedSample, saveSample } from './drafts'
import type { Change, Sample } from './editor-context'

type Action =
  | { kind: 'change'; change: Change; about: string | null; at: number }
  | { kind: 'undo' }
  | { kind: 'redo' }

function reduce(history: History, action: Action): History {
  if (action.kind === 'undo') return undo(history)
  if (action.kind === 'redo') return redo(history)
  return recordChange(history, action.change(history.present), action.about, action.at)
}

/** The document with its history. */
export function useDocument(first: EditorDocument) {
  const [history, act] = useReducer(reduce, first, startHistory)
  return {
    document: history.present,
    canUndo: history.past.length > 0,
    canRedo: history.future.length > 0,
    apply: useCallback(
      (given: Change, about?: string) =>
        act({ kind: 'change', change: given, about: about ?? null, at: Date.now() }),
      [],
    ),
    undo: useCallback(() => act({ kind: 'undo' }), []),
    redo: useCallback(() => act({ kind: 'redo' }), []),
  }
}

/** The sample data of the review type: a value for every field, or exactly what the member typed. */
export function useSample(formId: string, document: EditorDocument): Sample {
  const [kept, setKept] = useState<SavedSample | null>(() => readSample(formId))
  const { fields } = document
  const data = useMemo(() => (kept?.isTyped ? kept.data : fillIn(kept?.data ?? {}, fields)), [kept, fields])
  const set = useCallback(
    (typed: JsonObject | null) => {
      const next = typed === null ? null : { data: typed, isTyped: true }
      setKept(next)
      saveSample(formId, next)
    },
    [formId],
  )
  return { data, isTyped: kept?.isTyped ?? false, set }
}

import { createContext, useContext } from 'react'
import type { JsonObject } from '@/form'
import type { EditorDocument, WrittenForm } from '../document/types'
import type { Checked } from './issues'

export type Tab = 'design' | 'rules' | 'behavior' | 'translations' | 'try' | 'versions' | 'code'

/** The last saved version; null before the first save. */
export type Saved = { formId: string; version: number; document: EditorDocument }

export type Change = (document: EditorDocument) => EditorDocument

/** The sample data for trying out the review type. */
export type Sample = {
  data: JsonObject
  /** Typed by the member: nothing is added automatically. */
  isTyped: boolean
  set: (data: JsonObject | null) => void
}

export type EditorValue = {
  document: EditorDocument
  /** The document as the service would get it. */
  written: WrittenForm
  saved: Saved | null
  /** Changes with the same `about` in quick succession are one step of the history. */
  apply: (change: Change, about?: string) => void
  undo: () => void
  redo: () => void
  canUndo: boolean
  canRedo: boolean
  selection: string | null
  select: (key: string | null) => void
  checked: Checked
  tab: Tab
  /** The language of the shown translations; undefined until one is chosen. */
  language: string | undefined
  show: (tab: Tab, language?: string) => void
  sample: Sample
  /** Puts an earlier version on the canvas, to review and publish. */
  restore: (version: number, document: EditorDocument) => void
}

export const EditorContext = createContext<EditorValue | null>(null)

export function useEditor(): EditorValue {
  const value = useContext(EditorContext)
  if (value === null) throw new Error('There is no editor around this.')
  return value
}

import type { Tab } from './editor/editor-context'

const TABS: readonly string[] = ['rules', 'behaviour', 'try', 'versions', 'code']

export type EditorSearch = { tab?: Tab }

/** Which part of the editor is shown. */
export const readEditorSearch = (raw: Record<string, unknown>): EditorSearch =>
  typeof raw.tab === 'string' && TABS.includes(raw.tab) ? { tab: raw.tab as Tab } : {}

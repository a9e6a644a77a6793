import type { Tab } from './editor/editor-context'

const TABS: readonly string[] = ['rules', 'behavior', 'translations', 'try', 'versions', 'code']

export type EditorSearch = { tab?: Tab; language?: string }

/** Which part of the editor is shown. */
export const readEditorSearch = (raw: Record<string, unknown>): EditorSearch =>
  typeof raw.tab === 'string' && TABS.includes(raw.tab)
    ? {
        tab: raw.tab as Tab,
        ...(raw.tab === 'translations' && typeof raw.language === 'string' && { language: raw.language }),
      }
    : {}

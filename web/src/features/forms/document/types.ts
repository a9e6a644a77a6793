/** A review type while it is edited: one immutable value, which every operation answers anew. */

import type { Translations } from '@/api/forms/localize'
import type { FieldTypeName, Json, LayoutNode, Rule } from '@/form/types'

/** By language, then by the setting that has the original. */
export type TranslatedTexts = { [language: string]: { [setting: string]: string } }

/** A field as it is written; which settings there are depends on its type (`field-types.ts`). */
export type EditorField = {
  id: string
  type: FieldTypeName
  label?: string
  path?: string
  help?: string
  required?: boolean
  editable?: boolean
  default?: Json
  translations?: TranslatedTexts
  [setting: string]: Json | undefined
}

/** The layout with a key at every entry, which stays the same while the entry is moved or renamed. */
export type EditorNode =
  | { key: string; kind: 'field'; field: string }
  | { key: string; kind: 'columns'; columns: EditorNode[][] }
  | {
      key: string
      kind: 'group'
      id: string
      label: string
      children: EditorNode[]
      translations?: TranslatedTexts
    }
  | { key: string; kind: 'grid'; columns: number; children: EditorNode[] }

export type NodeOf<Kind extends EditorNode['kind']> = Extract<EditorNode, { kind: Kind }>

export type Width = 'narrow' | 'medium' | 'wide' | 'full'

/** What becomes of values that no field shows. */
export type Unmapped = 'show' | 'hide' | 'reject'

export type DefaultReviewers = { users: string[]; groups: string[]; external: string[] }

export type TimeLimitStep = {
  afterMinutes: number
  action: 'remind' | 'handOver' | 'reject' | 'approve'
  to: { users: string[]; groups: string[] } | null
}

export type TimeLimitCalendar = { timeZone: string; days: number[]; from: string; until: string }

export type TimeLimits = { calendar: TimeLimitCalendar | null; steps: TimeLimitStep[] }

export type EditorDocument = {
  name: string
  description: string | null
  agentId: string | null
  titleField: string | null
  width: Width
  unmapped: Unmapped
  autoApprove: boolean
  allowRetry: boolean
  decideFromChat: boolean
  allowExternalReviewers: boolean
  trigger: boolean
  defaultReviewers: DefaultReviewers
  webhookUrl: string | null
  toolWebhookUrl: string | null
  timeLimits: TimeLimits | null
  fields: EditorField[]
  layout: EditorNode[]
  rules: Rule[]
  /** Those that the review type has translations in. The texts themselves are kept with their originals. */
  languages: string[]
  nameTranslations: { [language: string]: string }
}

/** A definition as `POST /forms` takes it. */
export type WrittenForm = Omit<EditorDocument, 'layout' | 'languages' | 'nameTranslations'> & {
  layout: LayoutNode[] | null
  translations: Translations | null
}

/**
 * Something that holds entries: `root`, the key of a group or grid, or the key of columns with a column's number,
 * `<key>:<number>`.
 */
export type Container = string

/** Before the entry that has this index now; the number of entries: at the end. */
export type Place = { container: Container; index: number }

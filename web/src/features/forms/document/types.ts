/** A review type in the editor: an immutable value; every operation returns a new one. */

import type { Translations } from '@/api/forms/localize'
import type { FieldTypeName, Json, LayoutNode, Rule } from '@/form/types'

/** By language, then by setting. */
export type TranslatedTexts = { [language: string]: { [setting: string]: string } }

/** A field as written in the definition; its type decides which settings it has (`field-types.ts`). */
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

/** The layout with a key for every entry, which stays the same when the entry is moved or renamed. */
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

/** What happens to values that no field shows. */
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
  /** The languages that the review type is translated into. The translations are kept with their originals. */
  languages: string[]
  nameTranslations: { [language: string]: string }
}

/** A definition as `POST /forms` takes it. */
export type WrittenForm = Omit<EditorDocument, 'layout' | 'languages' | 'nameTranslations'> & {
  layout: LayoutNode[] | null
  translations: Translations | null
}

/**
 * Something that has entries: `root`, the key of a group or grid, or the key of columns with a column number,
 * `<key>:<number>`.
 */
export type Container = string

/** Before the entry that has this index now; the number of entries means at the end. */
export type Place = { container: Container; index: number }

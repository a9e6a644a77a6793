/** Converts a definition from the service to a document. */

import { t } from '@lingui/core/macro'
import type { Translations } from '@/api/forms/localize'
import type { LayoutNode, Rule } from '@/form/types'
import { createKey } from './keys'
import { withTranslations } from './translations'
import { getFieldIds } from './tree'
import type {
  DefaultReviewers,
  EditorDocument,
  EditorField,
  EditorNode,
  TimeLimits,
  Unmapped,
  Width,
} from './types'

/** A form from the API, or any definition derived from one. */
export type ReadableForm = {
  name?: string
  description?: string | null
  agentId?: string | null
  titleField?: string | null
  width?: string | null
  unmapped?: string | null
  autoApprove?: boolean
  allowRetry?: boolean
  decideFromChat?: boolean
  allowExternalReviewers?: boolean
  trigger?: boolean
  defaultReviewers?: { users?: string[]; groups?: string[]; external?: string[] } | null
  webhookUrl?: string | null
  toolWebhookUrl?: string | null
  timeLimits?: object | null
  fields?: readonly object[] | null
  layout?: readonly object[] | null
  rules?: readonly object[] | null
  translations?: object | null
}

const UNMAPPED: readonly string[] = ['show', 'hide', 'reject']
const WIDTHS: readonly string[] = ['narrow', 'medium', 'wide', 'full']

export function readForm(form: ReadableForm): EditorDocument {
  const fields = (form.fields ?? []) as readonly EditorField[]
  const document: EditorDocument = {
    name: form.name ?? '',
    description: form.description ?? null,
    agentId: form.agentId ?? null,
    titleField: form.titleField ?? null,
    width: (WIDTHS.includes(form.width ?? '') ? form.width : 'medium') as Width,
    unmapped: (UNMAPPED.includes(form.unmapped ?? '') ? form.unmapped : 'show') as Unmapped,
    autoApprove: form.autoApprove ?? false,
    allowRetry: form.allowRetry ?? false,
    decideFromChat: form.decideFromChat ?? false,
    allowExternalReviewers: form.allowExternalReviewers ?? true,
    trigger: form.trigger ?? false,
    defaultReviewers: reviewers(form.defaultReviewers),
    webhookUrl: form.webhookUrl ?? null,
    toolWebhookUrl: form.toolWebhookUrl ?? null,
    timeLimits: (form.timeLimits ?? null) as TimeLimits | null,
    fields: [...fields],
    layout: addMissingFields(addKeys((form.layout ?? []) as readonly LayoutNode[]), fields),
    rules: [...((form.rules ?? []) as readonly Rule[])],
    languages: [],
    nameTranslations: {},
  }
  return withTranslations(document, (form.translations ?? {}) as Translations)
}

const reviewers = (given: ReadableForm['defaultReviewers']): DefaultReviewers => ({
  users: given?.users ?? [],
  groups: given?.groups ?? [],
  external: given?.external ?? [],
})

export const addKeys = (nodes: readonly LayoutNode[]): EditorNode[] =>
  nodes.map((node): EditorNode => {
    const key = createKey()
    if (node.kind === 'field') return { key, kind: 'field', field: node.field }
    if (node.kind === 'columns') return { key, kind: 'columns', columns: node.columns.map(addKeys) }
    if (node.kind === 'group')
      return { key, kind: 'group', id: node.id, label: node.label, children: addKeys(node.children) }
    return { key, kind: 'grid', columns: node.columns, children: addKeys(node.children) }
  })

/** Appends fields that the layout leaves out, so that the canvas shows what the reviewer would see. */
export function addMissingFields(
  layout: readonly EditorNode[],
  fields: readonly EditorField[],
): EditorNode[] {
  const placed = new Set(getFieldIds(layout))
  const left = fields.filter(field => !placed.has(field.id))
  return [
    ...layout,
    ...left.map((field): EditorNode => ({ key: createKey(), kind: 'field', field: field.id })),
  ]
}

export const EMPTY: EditorDocument = readForm({})

/** The name of a new review type, until someone changes it. */
export const defaultName = (): string => t`New review type`

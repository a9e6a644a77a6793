/** Converts a document to a definition for the service. */

import type { LayoutNode } from '@/form/types'
import { withoutTranslations, writeTranslations } from './translations'
import type { EditorDocument, EditorField, EditorNode, WrittenForm } from './types'

/** The definition that the service gets. A layout that is only the fields in order is left out. */
export function writeForm(document: EditorDocument): WrittenForm {
  const { languages: _, nameTranslations: __, ...rest } = document
  const written = {
    ...rest,
    fields: document.fields.map(withoutTranslations),
    translations: writeTranslations(document),
  }
  if (!isPlain(document.layout)) return { ...written, layout: withoutKeys(document.layout) }
  const byId = new Map(written.fields.map(field => [field.id, field]))
  const order = document.layout.flatMap(node => (node.kind === 'field' ? [byId.get(node.field)] : []))
  const fields = order.filter((field): field is EditorField => field !== undefined)
  // Keep two fields with the same ID, so that the service reports the error.
  return {
    ...written,
    fields: fields.length === written.fields.length ? fields : written.fields,
    layout: null,
  }
}

const isPlain = (layout: readonly EditorNode[]) => layout.every(node => node.kind === 'field')

export const withoutKeys = (nodes: readonly EditorNode[]): LayoutNode[] =>
  nodes.map((node): LayoutNode => {
    if (node.kind === 'field') return { kind: 'field', field: node.field }
    if (node.kind === 'columns') return { kind: 'columns', columns: node.columns.map(withoutKeys) }
    if (node.kind === 'group')
      return { kind: 'group', id: node.id, label: node.label, children: withoutKeys(node.children) }
    return { kind: 'grid', columns: node.columns, children: withoutKeys(node.children) }
  })

/** Whether two documents would be saved as the same definition. */
export const sameForm = (left: EditorDocument, right: EditorDocument): boolean =>
  left === right || JSON.stringify(sortKeys(writeForm(left))) === JSON.stringify(sortKeys(writeForm(right)))

/** Sorts members and drops empty ones. */
function sortKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortKeys)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, inner]) => inner !== undefined)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, inner]) => [name, sortKeys(inner)]),
  )
}

/** Copied entries with their fields, which can be pasted elsewhere, also into another review type. */

import { getTakenIds, makeUnique } from './identifiers'
import { createKey } from './keys'
import { type Inserted, insertNode } from './operations'
import { find, getFieldIds } from './tree'
import type { EditorDocument, EditorField, EditorNode, Place } from './types'

export type Clip = { node: EditorNode; fields: EditorField[] }

export function copyNode(document: EditorDocument, key: string): Clip | null {
  const found = find(document.layout, key)
  if (found === null) return null
  const ids = new Set(getFieldIds([found.node]))
  return { node: found.node, fields: document.fields.filter(field => ids.has(field.id)) }
}

/** Pastes a copy. IDs and paths that are taken get a number. */
export function paste(document: EditorDocument, clip: Clip, place: Place): Inserted | null {
  const taken = getTakenIds(document)
  const paths = new Set(document.fields.map(field => field.path ?? field.id))
  const ids = new Map<string, string>()
  const fields = clip.fields.map((field): EditorField => {
    const id = makeUnique(field.id, taken)
    taken.add(id)
    ids.set(field.id, id)
    const copy: EditorField = { ...field, id }
    if (field.path !== undefined) {
      copy.path = makeUnique(field.path, paths)
      paths.add(copy.path)
    }
    return copy
  })
  const node = cloneNode(clip.node, ids, taken)
  const made = insertNode({ ...document, fields: [...document.fields, ...fields] }, node, place)
  return find(made.layout, node.key) === null ? null : { document: made, key: node.key }
}

function cloneNode(node: EditorNode, ids: ReadonlyMap<string, string>, taken: Set<string>): EditorNode {
  const key = createKey()
  if (node.kind === 'field') return { key, kind: 'field', field: ids.get(node.field) ?? node.field }
  if (node.kind === 'columns')
    return {
      key,
      kind: 'columns',
      columns: node.columns.map(column => column.map(each => cloneNode(each, ids, taken))),
    }
  if (node.kind === 'grid')
    return { ...node, key, children: node.children.map(child => cloneNode(child, ids, taken)) }
  const id = makeUnique(node.id, taken)
  taken.add(id)
  return { ...node, key, id, children: node.children.map(child => cloneNode(child, ids, taken)) }
}

/** Inserts a copy after the entry. */
export function duplicateNode(document: EditorDocument, key: string): Inserted | null {
  const found = find(document.layout, key)
  const clip = copyNode(document, key)
  if (found === null || clip === null) return null
  return paste(document, clip, { container: found.place.container, index: found.place.index + 1 })
}

import { FIELD_TYPES } from '../document/field-types'
import { childrenOf, ownerOf } from '../document/tree'
import type { EditorDocument, EditorNode, Place } from '../document/types'

/** What people call an entry. */
export function nameOf(document: EditorDocument, node: EditorNode): string {
  if (node.kind === 'columns') return `${node.columns.length} columns`
  if (node.kind === 'grid') return `Grid of ${node.columns} columns`
  if (node.kind === 'group') return node.label || 'Group'
  const field = document.fields.find(each => each.id === node.field)
  return field?.label || node.field
}

/** What an entry is, to be read out behind its name. */
export function kindWords(document: EditorDocument, node: EditorNode): string {
  const field = node.kind === 'field' ? document.fields.find(each => each.id === node.field) : undefined
  if (field) return `(${FIELD_TYPES[field.type].name})`
  return node.kind === 'group' ? '(Group)' : ''
}

/** Where something would go, for those who hear it. */
export function placeInWords(document: EditorDocument, place: Place): string {
  const siblings = childrenOf(document.layout, place.container) ?? []
  const next = siblings[place.index]
  const owner = ownerOf(document.layout, place.container)
  const column = place.container.split(':')[1]
  const inside =
    owner === null
      ? ''
      : column === undefined
        ? ` in ${nameOf(document, owner)}`
        : ` in column ${Number(column) + 1}`
  if (siblings.length === 0) return inside ? `into the empty box${inside}` : 'first on the page'
  return `${next ? `before ${nameOf(document, next)}` : 'at the end'}${inside}`
}

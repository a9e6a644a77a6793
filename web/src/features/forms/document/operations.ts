/**
 * Operations on the fields and the layout of a document. Every operation returns a new document, or the same one if
 * nothing changed.
 */

import { t } from '@lingui/core/macro'
import type { FieldTypeName, Json } from '@/form/types'
import { formatNumber } from '@/lib/i18n'
import { FIELD_TYPES, findSetting, getTypeName } from './field-types'
import { createIdFromLabel, followsLabel, getTakenIds, makeUnique } from './identifiers'
import { createKey } from './keys'
import { renameField } from './rename'
import { contains, find, getChildren, getDepth, getFieldIds, getHeight, mapContainers, walk } from './tree'
import type { EditorDocument, EditorField, EditorNode, Place } from './types'

export const MAX_DEPTH = 8
export const MAX_COLUMNS = 6
export const MAX_GRID_COLUMNS = 12

export type Inserted = { document: EditorDocument; key: string }

export type PaletteKind = FieldTypeName | 'columns' | 'group' | 'grid'

/** Inserts a new field or container, with everything it needs to be valid. */
export function insertNew(document: EditorDocument, kind: PaletteKind, place: Place): Inserted {
  const key = createKey()
  const taken = getTakenIds(document)
  if (kind === 'columns')
    return { key, document: insertNode(document, { key, kind, columns: [[], []] }, place) }
  if (kind === 'grid')
    return { key, document: insertNode(document, { key, kind, columns: 3, children: [] }, place) }
  if (kind === 'group') {
    const id = makeUnique('group', taken)
    return { key, document: insertNode(document, { key, kind, id, label: t`Group`, children: [] }, place) }
  }
  const field = newField(kind, taken)
  const withField = { ...document, fields: [...document.fields, field] }
  return { key, document: insertNode(withField, { key, kind: 'field', field: field.id }, place) }
}

export function newField(type: FieldTypeName, taken: ReadonlySet<string>): EditorField {
  const name = getTypeName(type)
  const id = makeUnique(type, taken)
  const number = /\d+$/.exec(id)?.[0]
  const label = number ? t`${name} ${{ number: formatNumber(Number(number)) }}` : name
  return { id, type, label, ...FIELD_TYPES[type].first() }
}

export function insertNode(document: EditorDocument, node: EditorNode, place: Place): EditorDocument {
  if (getDepth(document.layout, place.container) + getHeight(node) > MAX_DEPTH) return document
  return {
    ...document,
    layout: mapContainers(document.layout, (children, container) =>
      container === place.container
        ? [...children.slice(0, place.index), node, ...children.slice(place.index)]
        : children,
    ),
  }
}

/** Removes an entry with its fields. Rules about them stay: they become errors that the editor has to fix. */
export function removeNode(document: EditorDocument, key: string): EditorDocument {
  const found = find(document.layout, key)
  if (found === null) return document
  const gone = new Set(getFieldIds([found.node]))
  return {
    ...document,
    fields: document.fields.filter(field => !gone.has(field.id)),
    layout: without(document.layout, key),
    titleField: document.titleField !== null && gone.has(document.titleField) ? null : document.titleField,
  }
}

const without = (layout: readonly EditorNode[], key: string): EditorNode[] =>
  mapContainers(layout, children => children.filter(child => child.key !== key))

/** Whether an entry may move there: not into itself, and not too deep. */
export function canMove(document: EditorDocument, key: string, place: Place): boolean {
  const found = find(document.layout, key)
  if (found === null || getChildren(document.layout, place.container) === null) return false
  const owner = place.container.split(':')[0] ?? ''
  if (contains(found.node, owner)) return false
  return getDepth(document.layout, place.container) + getHeight(found.node) <= MAX_DEPTH
}

/** Moves an entry. The index of the place counts the entries before the move. */
export function moveNode(document: EditorDocument, key: string, place: Place): EditorDocument {
  const found = find(document.layout, key)
  if (found === null || !canMove(document, key, place)) return document
  const isHere = found.place.container === place.container
  if (isHere && (place.index === found.place.index || place.index === found.place.index + 1)) return document
  const index = isHere && found.place.index < place.index ? place.index - 1 : place.index
  const rest = { ...document, layout: without(document.layout, key) }
  return insertNode(rest, found.node, { container: place.container, index })
}

export function changeNode(
  document: EditorDocument,
  key: string,
  change: (node: EditorNode) => EditorNode,
): EditorDocument {
  return {
    ...document,
    layout: mapContainers(document.layout, children =>
      children.map(child => (child.key === key ? change(child) : child)),
    ),
  }
}

/** New columns are empty; the entries of removed columns move to the last one that stays. */
export function setColumnCount(document: EditorDocument, key: string, count: number): EditorDocument {
  const wanted = Math.max(1, Math.min(MAX_COLUMNS, Math.round(count)))
  return changeNode(document, key, node => {
    if (node.kind !== 'columns' || node.columns.length === wanted) return node
    const kept = node.columns.slice(0, wanted)
    const rest = node.columns.slice(wanted).flat()
    const columns = kept.map((column, index) => (index === kept.length - 1 ? [...column, ...rest] : column))
    while (columns.length < wanted) columns.push([])
    return { ...node, columns }
  })
}

/** Removes a box and leaves its entries in its place. */
export function unwrap(document: EditorDocument, key: string): EditorDocument {
  return {
    ...document,
    layout: mapContainers(document.layout, children =>
      children.flatMap(child => {
        if (child.key !== key || child.kind === 'field') return [child]
        return child.kind === 'columns' ? child.columns.flat() : child.children
      }),
    ),
  }
}

/** Sets members of a field; undefined removes a member. */
export function changeField(
  document: EditorDocument,
  fieldId: string,
  part: Readonly<Record<string, Json | undefined>>,
): EditorDocument {
  return {
    ...document,
    fields: document.fields.map(field => (field.id === fieldId ? changed(field, part) : field)),
  }
}

export function changed(field: EditorField, part: Readonly<Record<string, Json | undefined>>): EditorField {
  const next: EditorField = { ...field, ...part }
  for (const name of Object.keys(part)) if (part[name] === undefined) delete next[name]
  return next
}

/** Changes a label. While nothing depends on the field's ID, the ID follows the label. */
export function changeLabel(
  document: EditorDocument,
  fieldId: string,
  label: string,
  isNew: boolean,
): EditorDocument {
  const field = document.fields.find(each => each.id === fieldId)
  if (field === undefined) return document
  const labelled = changeField(document, fieldId, { label })
  const start = { code: field.type, label: getTypeName(field.type) }
  if (!isNew || !followsLabel(fieldId, field.label ?? '', start)) return labelled
  const others = getTakenIds(document)
  others.delete(fieldId)
  return renameField(labelled, fieldId, makeUnique(createIdFromLabel(label, field.type), others))
}

/** Changes the type: removes settings that the type doesn't have and adds those that it needs. */
export function changeFieldType(
  document: EditorDocument,
  fieldId: string,
  type: FieldTypeName,
): EditorDocument {
  const { first } = FIELD_TYPES[type]
  const fields = document.fields.map((field): EditorField => {
    if (field.id !== fieldId || field.type === type) return field
    const fits = (name: string) => {
      const setting = findSetting(type, name)
      return setting !== undefined && setting.type === findSetting(field.type, name)?.type
    }
    const isKept = (name: string) => name === 'path' || name === 'translations' || fits(name)
    const left = Object.fromEntries(Object.entries(field).filter(([name]) => isKept(name)))
    return { ...first(), ...left, id: field.id, type }
  })
  const titles = document.titleField !== fieldId || FIELD_TYPES[type].canBeTitle
  return { ...document, fields, titleField: titles ? document.titleField : null }
}

/** Where a new entry goes: after the selected one, or into it if it's an empty box. */
export function getPlaceAfter(document: EditorDocument, key: string | null): Place {
  const found = find(document.layout, key)
  if (found === null) return { container: 'root', index: document.layout.length }
  const { node, place } = found
  if (node.kind === 'columns') {
    const empty = node.columns.findIndex(column => column.length === 0)
    if (empty >= 0) return { container: `${node.key}:${empty}`, index: 0 }
  } else if (node.kind !== 'field' && node.children.length === 0) return { container: node.key, index: 0 }
  return { container: place.container, index: place.index + 1 }
}

/** The place one step up or down; at the end of a box, outside of it. Null if there is none. */
export function getNextPlace(document: EditorDocument, key: string, step: 'up' | 'down'): Place | null {
  const found = find(document.layout, key)
  if (found === null) return null
  const { container, index } = found.place
  const siblings = getChildren(document.layout, container) ?? []
  if (step === 'up' && index > 0) return { container, index: index - 1 }
  if (step === 'down' && index < siblings.length - 1) return { container, index: index + 2 }
  return container === 'root' ? null : getPlaceOutside(document, key, step)
}

/** Next to the entry's box. From a column, the next column comes first. */
export function getPlaceOutside(
  document: EditorDocument,
  key: string,
  step: 'up' | 'down' = 'down',
): Place | null {
  const found = find(document.layout, key)
  if (found === null || found.place.container === 'root') return null
  const [ownerKey = '', column] = found.place.container.split(':')
  const owner = find(document.layout, ownerKey)
  if (owner === null) return null
  if (column !== undefined && owner.node.kind === 'columns') {
    const next = Number(column) + (step === 'down' ? 1 : -1)
    const there = owner.node.columns[next]
    if (there !== undefined)
      return { container: `${ownerKey}:${next}`, index: step === 'down' ? 0 : there.length }
  }
  return { container: owner.place.container, index: owner.place.index + (step === 'down' ? 1 : 0) }
}

/** At the end of the box before the entry, or else in the box after it. */
export function getPlaceInside(document: EditorDocument, key: string): Place | null {
  const found = find(document.layout, key)
  if (found === null) return null
  const siblings = getChildren(document.layout, found.place.container) ?? []
  const before = siblings[found.place.index - 1]
  const after = siblings[found.place.index + 1]
  for (const [box, atEnd] of [
    [before, true],
    [after, false],
  ] as const) {
    if (box === undefined || box.kind === 'field') continue
    if (box.kind === 'columns') {
      const column = Math.max(
        0,
        box.columns.findIndex(each => each.length === 0),
      )
      return { container: `${box.key}:${column}`, index: box.columns[column]?.length ?? 0 }
    }
    return { container: box.key, index: atEnd ? box.children.length : 0 }
  }
  return null
}

/** The entry before or after another one, in reading order. */
export function findNeighbor(document: EditorDocument, key: string | null, step: 1 | -1): string | null {
  const keys = [...walk(document.layout)].map(({ node }) => node.key)
  const at = key === null ? -1 : keys.indexOf(key)
  if (at < 0) return (step === 1 ? keys[0] : keys.at(-1)) ?? null
  return keys[at + step] ?? null
}

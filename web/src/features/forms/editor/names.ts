import { plural, t } from '@lingui/core/macro'
import { formatNumber } from '@/lib/i18n'
import { getTypeName } from '../document/field-types'
import { getChildren, getOwner } from '../document/tree'
import type { EditorDocument, EditorNode, Place } from '../document/types'

/** The displayed name of an entry. */
export function getName(document: EditorDocument, node: EditorNode): string {
  if (node.kind === 'columns') {
    const count = node.columns.length
    return plural(count, { one: '# column', other: '# columns' })
  }
  if (node.kind === 'grid') {
    const count = node.columns
    return plural(count, { one: 'Grid with # column', other: 'Grid with # columns' })
  }
  if (node.kind === 'group') return node.label || t`Group`
  const field = document.fields.find(each => each.id === node.field)
  return field?.label || node.field
}

/** What kind of entry it is, read out after its name. */
export function getKindText(document: EditorDocument, node: EditorNode): string {
  const field = node.kind === 'field' ? document.fields.find(each => each.id === node.field) : undefined
  if (field) return t`(${{ type: getTypeName(field.type) }})`
  return node.kind === 'group' ? t`(Group)` : ''
}

/** A description of a place, as a phrase of its own: it's read out, never made part of a sentence. */
export function describePlace(document: EditorDocument, place: Place): string {
  const siblings = getChildren(document.layout, place.container) ?? []
  const isEmpty = siblings.length === 0
  const following = siblings[place.index]
  const next = following && getName(document, following)
  const owner = getOwner(document.layout, place.container)
  if (owner === null) {
    if (isEmpty) return t`top of the page`
    return next ? t`before ${next}` : t`at the end`
  }
  const column = place.container.split(':')[1]
  if (column !== undefined) {
    const number = formatNumber(Number(column) + 1)
    if (isEmpty) return t`in empty column ${number}`
    return next ? t`before ${next} in column ${number}` : t`at the end of column ${number}`
  }
  const container = getName(document, owner)
  if (isEmpty) return t`in empty ${container}`
  return next ? t`before ${next} in ${container}` : t`at the end of ${container}`
}

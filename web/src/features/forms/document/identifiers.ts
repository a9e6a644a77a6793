import { getGroups } from './tree'
import type { EditorDocument } from './types'

const ID = /^[A-Za-z][A-Za-z0-9_-]{0,63}$/

export const isIdentifier = (text: string): boolean => ID.test(text)

/** Derives an ID from a label: `Draft title` gives `draftTitle`. */
export function createIdFromLabel(label: string, otherwise: string): string {
  const plain = label.normalize('NFD').replace(/[\u0300-\u036f]/g, '')
  const words = plain.split(/[^A-Za-z0-9]+/).filter(Boolean)
  const joined = words
    .map((word, index) =>
      index === 0
        ? word.charAt(0).toLowerCase() + word.slice(1)
        : word.charAt(0).toUpperCase() + word.slice(1),
    )
    .join('')
    .slice(0, 48)
  return /^[A-Za-z]/.test(joined) ? joined : otherwise
}

type Default = { code: string; label: string }

/**
 * Whether an ID still follows its label: it was derived from the label, or both are the defaults of a new field or
 * option. Default IDs are fixed codes, so they don't depend on the editor's language.
 */
export function followsLabel(id: string, label: string, start: Default): boolean {
  const stem = withoutNumber(id)
  if (stem === '' || stem === withoutNumber(createIdFromLabel(label, start.code))) return true
  return stem === start.code && withoutNumber(label) === withoutNumber(start.label)
}

const withoutNumber = (text: string): string => text.replace(/\s*\p{Nd}+$/u, '')

/** The ID, with the first number that makes it unique if it's taken. */
export function makeUnique(id: string, taken: ReadonlySet<string>): string {
  if (!taken.has(id)) return id
  let number = 2
  while (taken.has(`${id}${number}`)) number += 1
  return `${id}${number}`
}

/** The IDs of all fields and groups: rules refer to both, so they share a namespace. */
export const getTakenIds = (document: EditorDocument): Set<string> =>
  new Set([...document.fields.map(field => field.id), ...getGroups(document.layout).map(group => group.id)])

/**
 * Unsaved changes, kept in the browser until the tab is closed, so that a reload loses nothing. The clipboard is shared
 * by all tabs. Both belong to one member, and nobody else who signs in can see them.
 */

import type { Form } from '@/api/forms/types'
import type { JsonObject } from '@/form'
import type { Clip } from '../document/clipboard'
import { EMPTY } from '../document/read'
import type { EditorDocument } from '../document/types'

export type Draft = {
  /** The version it started from; null for a review type that isn't saved yet. */
  base: Form | null
  document: EditorDocument
}

let ownerId = ''

/** Sets whose drafts these are; call it before reading or storing any. */
export function setDraftOwner(userId: string) {
  ownerId = userId
}

const name = (formId: string) => `signoff.review-type.${ownerId}.${formId}`
const sampleName = (formId: string) => `signoff.review-type-sample.${ownerId}.${formId}`
const clipName = () => `signoff.review-type-clip.${ownerId}`

export type SavedSample = { data: JsonObject; isTyped: boolean }

/** A draft from an older build may lack newer members of a document. */
export function readDraft(formId: string): Draft | null {
  const draft = read<Draft>(name(formId))
  return draft && { ...draft, document: { ...EMPTY, ...draft.document } }
}
export const saveDraft = (formId: string, draft: Draft) => keep(name(formId), draft)
export const deleteDraft = (formId: string) => drop(name(formId))

export const readSample = (formId: string): SavedSample | null => read<SavedSample>(sampleName(formId))
export const saveSample = (formId: string, sample: SavedSample | null) =>
  sample === null ? drop(sampleName(formId)) : keep(sampleName(formId), sample)

export const readClip = (): Clip | null => read<Clip>(clipName(), () => localStorage)
export const saveClip = (clip: Clip) => keep(clipName(), clip, () => localStorage)

/** Starts a new review type with this document. */
export function storeNewDraft(document: EditorDocument, sample: SavedSample | null) {
  saveDraft('new', { base: null, document })
  saveSample('new', sample)
}

type StorageGetter = () => Storage

// Evaluated on each use: if storage is disabled, accessing it throws.
const tabStorage: StorageGetter = () => sessionStorage

function read<T>(key: string, shelf = tabStorage): T | null {
  try {
    return JSON.parse(shelf().getItem(key) ?? 'null') as T | null
  } catch {
    return null
  }
}

function keep(key: string, value: unknown, shelf = tabStorage) {
  try {
    shelf().setItem(key, JSON.stringify(value))
  } catch {
    // The storage is full or disabled: the page still has the draft.
  }
}

function drop(key: string) {
  try {
    sessionStorage.removeItem(key)
  } catch {
    // The storage is disabled, so there is nothing to remove.
  }
}

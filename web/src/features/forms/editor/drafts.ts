/**
 * Unsaved changes, kept by the browser until the tab is closed: a reload loses nothing. What was copied is for all
 * tabs. Both belong to one person: whoever signs in next finds nothing of them.
 */

import type { Form } from '@/api/forms/types'
import type { JsonObject } from '@/form'
import type { Clip } from '../document/clipboard'
import { EMPTY } from '../document/read'
import type { EditorDocument } from '../document/types'

export type Draft = {
  /** What it began from; null for a review type that is not saved yet. */
  base: Form | null
  document: EditorDocument
}

let person = ''

/** Whose work it is; to be said before anything is read or kept. */
export function workAs(userId: string) {
  person = userId
}

const name = (formId: string) => `signoff.review-type.${person}.${formId}`
const sampleName = (formId: string) => `signoff.review-type-sample.${person}.${formId}`
const clipName = () => `signoff.review-type-clip.${person}`

export type KeptSample = { data: JsonObject; isTyped: boolean }

/** An older page may have kept it without what a document has now. */
export function readDraft(formId: string): Draft | null {
  const draft = read<Draft>(name(formId))
  return draft && { ...draft, document: { ...EMPTY, ...draft.document } }
}
export const keepDraft = (formId: string, draft: Draft) => keep(name(formId), draft)
export const dropDraft = (formId: string) => drop(name(formId))

export const readSample = (formId: string): KeptSample | null => read<KeptSample>(sampleName(formId))
export const keepSample = (formId: string, sample: KeptSample | null) =>
  sample === null ? drop(sampleName(formId)) : keep(sampleName(formId), sample)

export const readClip = (): Clip | null => read<Clip>(clipName(), () => localStorage)
export const keepClip = (clip: Clip) => keep(clipName(), clip, () => localStorage)

/** Begins a new review type with this. */
export function startWith(document: EditorDocument, sample: KeptSample | null) {
  keepDraft('new', { base: null, document })
  keepSample('new', sample)
}

type Shelf = () => Storage

// Asked for each time: where storage is switched off, naming it already throws.
const ofTheTab: Shelf = () => sessionStorage

function read<T>(key: string, shelf = ofTheTab): T | null {
  try {
    return JSON.parse(shelf().getItem(key) ?? 'null') as T | null
  } catch {
    return null
  }
}

function keep(key: string, value: unknown, shelf = ofTheTab) {
  try {
    shelf().setItem(key, JSON.stringify(value))
  } catch {
    // Full or switched off: the page itself still has it.
  }
}

function drop(key: string) {
  try {
    sessionStorage.removeItem(key)
  } catch {
    // Switched off, so there is nothing to remove.
  }
}

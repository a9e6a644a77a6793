/** The member's unsaved changes to review types. The clipboard is shared by all tabs. */

import type { Form } from '@/api/forms/types'
import type { JsonObject } from '@/form'
import { readSetting, storeSetting } from '@/lib/stored-settings'
import { getOwnKey, readFromTab, storeInTab } from '@/lib/tab-storage'
import type { Clip } from '../document/clipboard'
import { EMPTY } from '../document/read'
import type { EditorDocument } from '../document/types'

export type Draft = {
  /** The version it started from; null for a review type that isn't saved yet. */
  base: Form | null
  document: EditorDocument
}

export type SavedSample = { data: JsonObject; isTyped: boolean }

const getDraftKey = (formId: string) => getOwnKey(`review-type.${formId}`)
const getSampleKey = (formId: string) => getOwnKey(`review-type-sample.${formId}`)
const getClipKey = () => getOwnKey('review-type-clip')

/** A draft from an older build may lack newer members of a document. */
export function readDraft(formId: string): Draft | null {
  const draft = readFromTab<Draft>(getDraftKey(formId))
  return draft && { ...draft, document: { ...EMPTY, ...draft.document } }
}
export const saveDraft = (formId: string, draft: Draft) => storeInTab(getDraftKey(formId), draft)
export const deleteDraft = (formId: string) => storeInTab(getDraftKey(formId), null)

export const readSample = (formId: string) => readFromTab<SavedSample>(getSampleKey(formId))
export const saveSample = (formId: string, sample: SavedSample | null) =>
  storeInTab(getSampleKey(formId), sample)

export const readClip = () => readSetting(getClipKey()) as Clip | null
export const saveClip = (clip: Clip) => storeSetting(getClipKey(), clip)

/** Starts a new review type with this document. */
export function storeNewDraft(document: EditorDocument, sample: SavedSample | null) {
  saveDraft('new', { base: null, document })
  saveSample('new', sample)
}

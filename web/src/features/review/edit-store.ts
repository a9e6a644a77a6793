/**
 * Edits by review, kept outside of the pages: they survive going to another review and back, and are saved as a draft
 * shortly after the last change.
 */

import { type ApiError, isStatus } from '@/api/client'
import { isQueued, subscribeToArrivedDecisions } from '@/api/decisions'
import {
  isUnsent,
  type MutationQueue,
  type QueueOptions,
  type SendRequest,
  startMutationQueue,
} from '@/api/mutation-queue'
import {
  type Access,
  type DraftBody,
  deleteDraft,
  memberAccess,
  type SavedDraft,
  saveDraft,
} from '@/api/review'
import { getOwnKey } from '@/lib/tab-storage'
import { buildSubmission, type Content, type Edit, isPristine, moveEdit, startEdit } from './edit'

/** Null deletes the draft. */
type DraftChange = { reviewId: string; draft: DraftBody | null }
/** The stored draft; null if there is none; undefined if the review is decided or deleted. */
type StoredDraft = SavedDraft | null | undefined
type DraftQueue = MutationQueue<DraftChange, StoredDraft>

/**
 * `none`: there is nothing to save. `failed`: the save is retried. `refused`: it isn't, unless something changes or the
 * member asks for it.
 */
export type SaveState = 'none' | 'unsaved' | 'saving' | 'saved' | 'failed' | 'refused'

/** `isStored`: the service has a draft. */
type EditEntry = { edit: Edit; isStored: boolean }

export class EditStore {
  /** Called with the stored draft, so that it isn't fetched again. */
  onStored: (reviewId: string, draft: SavedDraft | null) => void = () => {}
  /** Whether an unedited entry is still needed. */
  isNeeded: (reviewId: string) => boolean = () => false
  readonly #entries = new Map<string, EditEntry>()
  readonly #listeners = new Set<() => void>()
  readonly #queue: DraftQueue

  constructor(queue: DraftQueue) {
    this.#queue = queue
    queue.subscribe(() => this.#notify())
    queue.onArrival(({ reviewId }, draft) => {
      const entry = this.#entries.get(reviewId)
      if (entry) this.#entries.set(reviewId, { ...entry, isStored: Boolean(draft) })
      if (draft !== undefined) this.onStored(reviewId, draft)
    })
  }

  subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  edit = (reviewId: string): Edit | null => this.#entries.get(reviewId)?.edit ?? null

  /** What this tab knows about the member's draft, saved or not. Undefined: nothing, but the service may have one. */
  local(reviewId: string): DraftBody | null | undefined {
    const edit = this.edit(reviewId)
    return edit ? toDraft(edit) : this.#findUnsaved(reviewId)?.draft
  }

  saveState(reviewId: string): SaveState {
    const unsaved = this.#queue.find(reviewId)
    if (!unsaved) return this.#entries.get(reviewId)?.isStored ? 'saved' : 'none'
    if (unsaved.state === 'sending') return 'saving'
    if (unsaved.state === 'refused') return 'refused'
    return isUnsent(unsaved) ? 'unsaved' : 'failed'
  }

  /** Why the last save failed; null if it didn't. */
  saveError = (reviewId: string): ApiError | null => this.#queue.find(reviewId)?.error ?? null

  /** Starts with the draft, or continues unsaved edits, on this content. */
  open(reviewId: string, content: Content, draft: SavedDraft | null): void {
    const entry = this.#entries.get(reviewId)
    if (entry === undefined) {
      // Unsaved edits in this tab are newer than the draft.
      const unsaved = this.#findUnsaved(reviewId)
      const edit = startEdit(content, unsaved ? unsaved.draft : draft)
      this.#set(reviewId, { edit, isStored: draft !== null })
      if (unsaved) void this.flush(reviewId)
      return
    }
    const { edit } = entry
    if (edit.suggestion === content.suggestion && edit.revision === content.revision) {
      // The same version of the review type, possibly in another language now.
      if (edit.form !== content.form) this.#set(reviewId, { ...entry, edit: { ...edit, form: content.form } })
      return
    }
    this.#set(reviewId, { ...entry, edit: moveEdit(edit, content) })
    if (edit.revision !== content.revision && entry.isStored) this.#save(reviewId)
  }

  change(reviewId: string, step: (edit: Edit) => Edit): void {
    const entry = this.#entries.get(reviewId)
    if (entry === undefined) return
    const edit = step(entry.edit)
    const isTyped =
      edit.values !== entry.edit.values ||
      edit.reason !== entry.edit.reason ||
      edit.instructions !== entry.edit.instructions
    this.#set(reviewId, { ...entry, edit })
    if (isTyped) this.#save(reviewId)
  }

  /** The member has gone to another review. Content without edits is fetched again next time. */
  async leave(reviewId: string): Promise<void> {
    if ((this.#queue.find(reviewId)?.notBefore ?? 0) <= Date.now()) await this.flush(reviewId)
    const edit = this.edit(reviewId)
    const isUnused = edit !== null && isPristine(edit) && this.saveState(reviewId) === 'none'
    if (isUnused && !this.isNeeded(reviewId)) this.forget(reviewId)
  }

  /** The review is decided or deleted: there is nothing to keep. */
  forget(reviewId: string): void {
    this.#queue.drop(reviewId)
    if (this.#entries.delete(reviewId)) this.#notify()
  }

  /** Saves unsaved edits now, even if the service refused them before. */
  flush(reviewId: string): Promise<void> {
    const unsaved = this.#queue.find(reviewId)
    return unsaved?.state === 'refused' ? this.#queue.retry(unsaved.id) : this.#queue.sendNow(reviewId)
  }

  #findUnsaved(reviewId: string) {
    this.#queue.load()
    return this.#queue.find(reviewId)
  }

  #save(reviewId: string): void {
    const entry = this.#entries.get(reviewId)
    if (!entry) return
    const draft = toDraft(entry.edit)
    const mayBeStored =
      entry.isStored || this.#queue.all.some(each => each.reviewId === reviewId && !isUnsent(each))
    if (draft || mayBeStored) this.#queue.add({ reviewId, draft })
    // Reverted before anything was sent.
    else this.#queue.drop(reviewId)
  }

  #set(reviewId: string, entry: EditEntry) {
    this.#entries.set(reviewId, entry)
    this.#notify()
  }

  #notify() {
    for (const listener of this.#listeners) listener()
  }
}

const toDraft = (edit: Edit): DraftBody | null =>
  isPristine(edit)
    ? null
    : {
        data: buildSubmission(edit),
        revision: edit.revision,
        ...(edit.reason.trim() && { reason: edit.reason }),
        ...(edit.instructions.trim() && { instructions: edit.instructions }),
      }

async function sendDraft(
  access: Access,
  { reviewId, draft }: DraftChange,
  request: SendRequest,
): Promise<StoredDraft> {
  try {
    if (draft) return await saveDraft(access, reviewId, draft, request)
    await deleteDraft(access, reviewId, request)
    return null
  } catch (error) {
    // Decided or deleted in between: there is nothing to save to, and the page says so.
    if (isStatus(error, 404) || isStatus(error, 409)) return undefined
    throw error
  }
}

/** `getStorageKey`: where the tab stores unsaved edits. */
export const getDraftQueueOptions = (
  access: Access,
  getStorageKey: () => string | null,
): QueueOptions<DraftChange, StoredDraft> => ({
  getStorageKey,
  send: (change, request) => sendDraft(access, change, request),
  getScope: ({ reviewId }) => reviewId,
  hold: 400,
  replaces: true,
  retryDelays: [3_000, 6_000, 15_000, 30_000, 60_000],
})

export const createEditStore = (access: Access, getStorageKey: () => string | null): EditStore =>
  new EditStore(startMutationQueue(getDraftQueueOptions(access, getStorageKey)))

export const memberEdits = createEditStore(memberAccess, () => getOwnKey('drafts'))
// A refused decision is compared with what the member saw.
memberEdits.isNeeded = isQueued
// Edits are dropped when the review's decision has arrived.
subscribeToArrivedDecisions(({ reviewId }) => memberEdits.forget(reviewId))

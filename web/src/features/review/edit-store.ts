/**
 * Edits by review, kept outside of the pages: they survive going to another review and back, and are saved as a draft
 * shortly after the last change. Until then the tab stores them, so that a reload loses nothing.
 */

import { ApiError } from '@/api/client'
import { isInOutbox, subscribeToArrivedDecisions } from '@/api/decisions'
import { getRetryAfter, getRetryDelay, isRetryable } from '@/api/retry-delays'
import {
  type Access,
  type DraftBody,
  type DraftRequest,
  deleteDraft,
  memberAccess,
  type SavedDraft,
  saveDraft,
} from '@/api/review'
import { onPageExit } from '@/lib/page-exit'
import { getOwnKey, readFromTab, storeInTab } from '@/lib/tab-storage'
import { buildSubmission, type Content, type Edit, isPristine, moveEdit, startEdit } from './edit'

const SAVE_DELAY = 400
const RETRY_DELAYS = [3_000, 6_000, 15_000, 30_000, 60_000] as const

/**
 * `none`: there is nothing to save. `failed`: the save is retried. `refused`: it isn't, unless something changes or the
 * member asks for it.
 */
export type SaveState = 'none' | 'unsaved' | 'saving' | 'saved' | 'failed' | 'refused'

export type Drafts = {
  save: (reviewId: string, draft: DraftBody, request: DraftRequest) => Promise<SavedDraft | null>
  forget: (reviewId: string, request: DraftRequest) => Promise<void>
}

/** Where unsaved edits survive a reload; null removes the entry. */
export type UnsavedEdits = {
  read: (reviewId: string) => DraftBody | null
  keep: (reviewId: string, draft: DraftBody | null) => void
}

type EditEntry = {
  edit: Edit
  state: SaveState
  /** The service has a draft. */
  isStored: boolean
  /** The number of changes, and how many of them are saved. */
  changes: number
  savedChanges: number
  /** Consecutive failures. */
  failures: number
  error: ApiError | null
  /** The earliest time for a retry, as a timestamp in milliseconds. */
  notBefore: number
}

const isDirty = ({ changes, savedChanges }: EditEntry): boolean => changes !== savedChanges

export class EditStore {
  /** Called with the stored draft, so that it isn't fetched again. */
  onStored: (reviewId: string, draft: SavedDraft | null) => void = () => {}
  /** Whether an unedited entry is still needed. */
  isNeeded: (reviewId: string) => boolean = () => false
  readonly #entries = new Map<string, EditEntry>()
  readonly #timers = new Map<string, ReturnType<typeof setTimeout>>()
  /** The save in progress of each review: never more than one. */
  readonly #running = new Map<string, { done: Promise<void>; abort: () => void }>()
  readonly #listeners = new Set<() => void>()
  readonly #drafts: Drafts
  readonly #shelf: UnsavedEdits | null

  constructor(drafts: Drafts, shelf: UnsavedEdits | null = null) {
    this.#drafts = drafts
    this.#shelf = shelf
  }

  subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  edit = (reviewId: string): Edit | null => this.#entries.get(reviewId)?.edit ?? null

  /** What this tab knows about the member's draft, saved or not. Undefined: nothing, but the service may have one. */
  local(reviewId: string): DraftBody | null | undefined {
    const edit = this.edit(reviewId)
    if (edit) return isPristine(edit) ? null : toDraft(edit)
    return this.#shelf?.read(reviewId) ?? undefined
  }

  saveState = (reviewId: string): SaveState => this.#entries.get(reviewId)?.state ?? 'none'

  /** Why the last save failed; null if it didn't. */
  saveError = (reviewId: string): ApiError | null => this.#entries.get(reviewId)?.error ?? null

  /** Starts with the draft, or continues unsaved edits, on this content. */
  open(reviewId: string, content: Content, draft: SavedDraft | null): void {
    const entry = this.#entries.get(reviewId)
    if (entry === undefined) {
      // Unsaved edits in this tab are newer than the draft.
      const kept = this.#shelf?.read(reviewId) ?? null
      this.#set(reviewId, {
        edit: startEdit(content, kept ?? draft),
        state: kept ? 'unsaved' : draft ? 'saved' : 'none',
        isStored: draft !== null,
        changes: kept ? 1 : 0,
        savedChanges: 0,
        failures: 0,
        error: null,
        notBefore: 0,
      })
      if (kept) this.#saveSoon(reviewId)
      return
    }
    if (entry.edit.suggestion === content.suggestion && entry.edit.revision === content.revision) {
      // The same version of the review type, possibly in another language now.
      if (entry.edit.form !== content.form)
        this.#set(reviewId, { ...entry, edit: { ...entry.edit, form: content.form } })
      return
    }
    const isNew = entry.edit.revision !== content.revision
    const mustSave = isNew && entry.isStored
    this.#set(reviewId, {
      ...entry,
      edit: moveEdit(entry.edit, content),
      changes: entry.changes + (mustSave ? 1 : 0),
    })
    if (mustSave) this.#saveSoon(reviewId)
  }

  change(reviewId: string, step: (edit: Edit) => Edit): void {
    const entry = this.#entries.get(reviewId)
    if (entry === undefined) return
    const edit = step(entry.edit)
    const isTyped =
      edit.values !== entry.edit.values ||
      edit.reason !== entry.edit.reason ||
      edit.instructions !== entry.edit.instructions
    if (!isTyped) {
      this.#set(reviewId, { ...entry, edit })
      return
    }
    this.#set(reviewId, { ...entry, edit, state: 'unsaved', changes: entry.changes + 1 })
    this.#shelf?.keep(reviewId, toDraft(edit))
    this.#saveSoon(reviewId)
  }

  /** The member has gone to another review. Content without edits is fetched again next time. */
  async leave(reviewId: string): Promise<void> {
    if ((this.#entries.get(reviewId)?.notBefore ?? 0) <= Date.now()) await this.flush(reviewId)
    const entry = this.#entries.get(reviewId)
    if (entry && entry.state === 'none' && isPristine(entry.edit) && !this.isNeeded(reviewId))
      this.forget(reviewId)
  }

  /** The review is decided or deleted: there is nothing to keep. */
  forget(reviewId: string): void {
    this.#stopTimer(reviewId)
    this.#running.get(reviewId)?.abort()
    this.#shelf?.keep(reviewId, null)
    if (this.#entries.delete(reviewId)) this.#tell()
  }

  /** Saves unsaved edits now. */
  async flush(reviewId: string, closing = false): Promise<void> {
    this.#stopTimer(reviewId)
    const running = this.#running.get(reviewId)
    // A closing page can't wait for the response, and the next request has all the edits.
    if (closing) running?.abort()
    else await running?.done
    const entry = this.#entries.get(reviewId)
    if (entry && isDirty(entry)) await this.#save(reviewId, entry, closing)
  }

  async flushAll(closing = false): Promise<void> {
    await Promise.all([...this.#entries.keys()].map(reviewId => this.flush(reviewId, closing)))
  }

  #stopTimer(reviewId: string) {
    clearTimeout(this.#timers.get(reviewId))
    this.#timers.delete(reviewId)
  }

  #saveSoon(reviewId: string, after = SAVE_DELAY) {
    this.#stopTimer(reviewId)
    const wait = Math.max(after, (this.#entries.get(reviewId)?.notBefore ?? 0) - Date.now())
    this.#timers.set(
      reviewId,
      setTimeout(() => void this.flush(reviewId), wait),
    )
  }

  /** One save at a time: a call during a save waits for it, and the next save has the latest edits. */
  #save(reviewId: string, entry: EditEntry, closing: boolean): Promise<void> {
    const running = this.#running.get(reviewId)
    if (running && !closing) return running.done
    const aborter = new AbortController()
    const request = { closing, signal: aborter.signal }
    const done = this.#send(reviewId, entry, request).finally(() => {
      if (this.#running.get(reviewId)?.done === done) this.#running.delete(reviewId)
    })
    this.#running.set(reviewId, { done, abort: () => aborter.abort() })
    return done
  }

  async #send(reviewId: string, entry: EditEntry, request: DraftRequest): Promise<void> {
    const { edit, changes } = entry
    this.#set(reviewId, { ...entry, state: 'saving' })
    try {
      let draft: SavedDraft | null = null
      if (!isPristine(edit)) draft = await this.#drafts.save(reviewId, toDraft(edit), request)
      else if (entry.isStored) await this.#drafts.forget(reviewId, request)
      if (!request.signal.aborted) this.#saved(reviewId, changes, draft)
    } catch (error) {
      if (!request.signal.aborted)
        this.#failed(
          reviewId,
          changes,
          error instanceof ApiError ? error : new ApiError(0, { code: 'network' }),
        )
    }
  }

  #saved(reviewId: string, changes: number, draft: SavedDraft | null) {
    const entry = this.#entries.get(reviewId)
    if (entry === undefined) return
    const isStored = draft !== null
    const now = { ...entry, isStored, savedChanges: changes, failures: 0, error: null, notBefore: 0 }
    this.onStored(reviewId, draft)
    if (isDirty(now)) {
      this.#set(reviewId, { ...now, state: 'unsaved' })
      this.#saveSoon(reviewId)
    } else {
      this.#shelf?.keep(reviewId, null)
      this.#set(reviewId, { ...now, state: isStored ? 'saved' : 'none' })
    }
  }

  #failed(reviewId: string, changes: number, error: ApiError) {
    const entry = this.#entries.get(reviewId)
    if (entry === undefined) return
    // Decided or deleted in between: there is nothing to save to, and the page says so.
    if (error.status === 409 || error.status === 404) {
      this.#shelf?.keep(reviewId, null)
      this.#set(reviewId, { ...entry, state: 'none', savedChanges: entry.changes })
      return
    }
    const failures = entry.failures + 1
    const notBefore = Date.now() + getRetryAfter(error)
    const isTriedAgain = isRetryable(error) || entry.changes !== changes
    const state = isRetryable(error) ? 'failed' : 'refused'
    this.#set(reviewId, { ...entry, state, failures, error, notBefore })
    if (isTriedAgain)
      this.#saveSoon(reviewId, isRetryable(error) ? getRetryDelay(error, failures, RETRY_DELAYS) : SAVE_DELAY)
  }

  #set(reviewId: string, entry: EditEntry) {
    this.#entries.set(reviewId, entry)
    this.#tell()
  }

  #tell() {
    for (const listener of this.#listeners) listener()
  }
}

const toDraft = (edit: Edit): DraftBody => ({
  data: buildSubmission(edit),
  revision: edit.revision,
  ...(edit.reason.trim() && { reason: edit.reason }),
  ...(edit.instructions.trim() && { instructions: edit.instructions }),
})

const createDrafts = (access: Access): Drafts => ({
  save: (reviewId, draft, request) => saveDraft(access, reviewId, draft, request),
  forget: (reviewId, request) => deleteDraft(access, reviewId, request),
})

const createUnsavedEdits = (placeOf: (name: string) => string | null): UnsavedEdits => ({
  read: reviewId => {
    const kept = readFromTab<Partial<DraftBody>>(placeOf(`edits.${reviewId}`))
    return kept && typeof kept.data === 'object' && typeof kept.revision === 'number'
      ? (kept as DraftBody)
      : null
  },
  keep: (reviewId, draft) => storeInTab(placeOf(`edits.${reviewId}`), draft),
})

/** A store that saves drafts before the page closes. `placeOf` says where the tab stores unsaved edits. */
export function createEditStore(access: Access, placeOf: (name: string) => string | null): EditStore {
  const store = new EditStore(createDrafts(access), createUnsavedEdits(placeOf))
  onPageExit(closing => store.flushAll(closing))
  window.addEventListener('online', () => void store.flushAll())
  return store
}

export const memberEdits = createEditStore(memberAccess, getOwnKey)
// A refused decision is compared with what the member saw.
memberEdits.isNeeded = isInOutbox
// Edits are dropped when the review's decision has arrived.
subscribeToArrivedDecisions(({ reviewId }) => memberEdits.forget(reviewId))

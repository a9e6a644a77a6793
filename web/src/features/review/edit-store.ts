/**
 * What people have typed, by review, kept outside of the pages: it survives going to another review and back, and it is
 * saved as a draft a moment after the last change.
 */

import { ApiError } from '@/api/client'
import { isInOutbox, onArrivedDecision } from '@/api/decisions'
import {
  type Access,
  type DraftBody,
  forgetDraft,
  memberAccess,
  type SavedDraft,
  saveDraft,
} from '@/api/review'
import { beforeLeaving } from '@/lib/leaving'
import { type Content, continueOn, type Edit, isPristine, startEdit, submissionIn } from './editing'

const SAVE_AFTER = 400
const TRY_AGAIN_AFTER = 3_000

/** `none`: there is nothing to save. */
export type SaveState = 'none' | 'unsaved' | 'saving' | 'saved' | 'failed'

export type Drafts = {
  save: (reviewId: string, draft: DraftBody, closing: boolean) => Promise<SavedDraft | null>
  forget: (reviewId: string, closing: boolean) => Promise<void>
}

type Held = { edit: Edit; state: SaveState; isStored: boolean; changes: number }

export class EditStore {
  /** Hears what is stored now, so that it is not read anew. */
  onStored: (reviewId: string, draft: SavedDraft | null) => void = () => {}
  /** Whether what a review looked like is still needed although nobody typed into it. */
  isNeeded: (reviewId: string) => boolean = () => false
  readonly #held = new Map<string, Held>()
  readonly #timers = new Map<string, ReturnType<typeof setTimeout>>()
  readonly #listeners = new Set<() => void>()
  readonly #drafts: Drafts

  constructor(drafts: Drafts) {
    this.#drafts = drafts
  }

  subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  edit = (reviewId: string): Edit | null => this.#held.get(reviewId)?.edit ?? null

  saveState = (reviewId: string): SaveState => this.#held.get(reviewId)?.state ?? 'none'

  /** Begins with the draft, or goes on with what is being typed, on this content. */
  open(reviewId: string, content: Content, draft: SavedDraft | null): void {
    const held = this.#held.get(reviewId)
    if (held === undefined) {
      const edit = startEdit(content, draft)
      this.#set(reviewId, { edit, state: draft ? 'saved' : 'none', isStored: draft !== null, changes: 0 })
      return
    }
    if (held.edit.suggestion === content.suggestion && held.edit.revision === content.revision) return
    const isNew = held.edit.revision !== content.revision
    this.#set(reviewId, { ...held, edit: continueOn(held.edit, content) })
    if (isNew && held.isStored) this.#saveSoon(reviewId)
  }

  change(reviewId: string, step: (edit: Edit) => Edit): void {
    const held = this.#held.get(reviewId)
    if (held === undefined) return
    const edit = step(held.edit)
    const isTyped =
      edit.values !== held.edit.values ||
      edit.reason !== held.edit.reason ||
      edit.instructions !== held.edit.instructions
    this.#set(reviewId, {
      ...held,
      edit,
      ...(isTyped && { state: 'unsaved' as const, changes: held.changes + 1 }),
    })
    if (isTyped) this.#saveSoon(reviewId)
  }

  /** The person has gone to another review. What nobody typed into is read anew next time. */
  async leave(reviewId: string): Promise<void> {
    await this.flush(reviewId)
    const held = this.#held.get(reviewId)
    if (held && held.state === 'none' && isPristine(held.edit) && !this.isNeeded(reviewId))
      this.forget(reviewId)
  }

  /** The review is decided or gone: there is nothing to keep. */
  forget(reviewId: string): void {
    clearTimeout(this.#timers.get(reviewId))
    this.#timers.delete(reviewId)
    if (this.#held.delete(reviewId)) this.#tell()
  }

  /** Saves now what is not saved yet. */
  async flush(reviewId: string, closing = false): Promise<void> {
    const held = this.#held.get(reviewId)
    if (held === undefined || (held.state !== 'unsaved' && held.state !== 'failed')) return
    clearTimeout(this.#timers.get(reviewId))
    await this.#save(reviewId, held, closing)
  }

  async flushAll(closing = false): Promise<void> {
    await Promise.all([...this.#held.keys()].map(reviewId => this.flush(reviewId, closing)))
  }

  #saveSoon(reviewId: string, after = SAVE_AFTER) {
    clearTimeout(this.#timers.get(reviewId))
    this.#timers.set(
      reviewId,
      setTimeout(() => {
        const held = this.#held.get(reviewId)
        // One save at a time: the one under way sees at its end that there is more.
        if (held && held.state !== 'saving') void this.#save(reviewId, held, false)
      }, after),
    )
  }

  async #save(reviewId: string, held: Held, closing: boolean): Promise<void> {
    const { edit, changes } = held
    this.#set(reviewId, { ...held, state: 'saving' })
    try {
      const draft = isPristine(edit)
        ? await this.#drop(reviewId, held, closing)
        : await this.#put(reviewId, edit, closing)
      this.#saved(reviewId, changes, draft)
    } catch (error) {
      this.#failed(reviewId, error)
    }
  }

  async #drop(reviewId: string, held: Held, closing: boolean): Promise<null> {
    if (held.isStored) await this.#drafts.forget(reviewId, closing)
    return null
  }

  #put(reviewId: string, edit: Edit, closing: boolean): Promise<SavedDraft | null> {
    const draft = {
      data: submissionIn(edit),
      revision: edit.revision,
      ...(edit.reason.trim() && { reason: edit.reason }),
      ...(edit.instructions.trim() && { instructions: edit.instructions }),
    }
    return this.#drafts.save(reviewId, draft, closing)
  }

  #saved(reviewId: string, changes: number, draft: SavedDraft | null) {
    const held = this.#held.get(reviewId)
    if (held === undefined) return
    const isStored = draft !== null
    this.onStored(reviewId, draft)
    if (held.changes !== changes) {
      this.#set(reviewId, { ...held, isStored, state: 'unsaved' })
      this.#saveSoon(reviewId)
    } else this.#set(reviewId, { ...held, isStored, state: isStored ? 'saved' : 'none' })
  }

  #failed(reviewId: string, error: unknown) {
    const held = this.#held.get(reviewId)
    if (held === undefined) return
    // Decided or deleted meanwhile: there is nothing to save to, and the page says so.
    const isOver = error instanceof ApiError && (error.status === 409 || error.status === 404)
    this.#set(reviewId, { ...held, state: isOver ? 'none' : 'failed' })
    if (!isOver) this.#saveSoon(reviewId, TRY_AGAIN_AFTER)
  }

  #set(reviewId: string, held: Held) {
    this.#held.set(reviewId, held)
    this.#tell()
  }

  #tell() {
    for (const listener of this.#listeners) listener()
  }
}

const draftsOf = (access: Access): Drafts => ({
  save: (reviewId, draft, closing) => saveDraft(access, reviewId, draft, closing),
  forget: (reviewId, closing) => forgetDraft(access, reviewId, closing),
})

/** A store whose drafts are saved before the person goes. */
export function editStoreWith(access: Access): EditStore {
  const store = new EditStore(draftsOf(access))
  beforeLeaving(closing => store.flushAll(closing))
  return store
}

export const memberEdits = editStoreWith(memberAccess)
// A decision that comes back is compared with what the person saw.
memberEdits.isNeeded = isInOutbox
// What was typed into a review is done with when its decision has arrived.
onArrivedDecision(({ reviewId }) => memberEdits.forget(reviewId))

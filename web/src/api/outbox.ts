/**
 * Decisions on their way to the service. Each is held for a few seconds, in which it can be undone, then sent. A
 * decision that couldn't be sent is retried until it can; a refused one is kept until the member dismisses it. The
 * outbox lives outside of the pages, because the member is on the next review by then.
 */

import { ApiError } from './client'
import { getRetryDelay, isRetryable } from './retry-delays'

export const UNDO_WINDOW = 5_000
const RETRY_DELAYS = [2_000, 4_000, 8_000, 15_000, 30_000] as const

export type Decision = {
  reviewId: string
  /** Null for a trigger form, which is neither approved nor rejected. */
  response: 'approved' | 'rejected' | null
  /** The changed values, as `POST /reviews/{id}/response` takes them. */
  data: Record<string, unknown>
  reason?: string
  /** The revision that the reviewer saw. */
  revision: number
  /** The review's title in notices. */
  title: string
  /** The member's ID: their own decision that arrived although its response got lost is no conflict. */
  by?: string
}

export type PendingDecision = Decision & {
  /**
   * `held`: can be undone. `sending`: can't be undone. `waiting`: the service couldn't be reached; the decision is
   * retried.
   */
  state: 'held' | 'sending' | 'waiting'
  /** When it will be sent, as a timestamp in milliseconds. */
  until: number
  attempts: number
}

export type RefusedDecision = Decision & { error: ApiError }

/** Where decisions survive a reload: the tab's session storage. */
type DecisionStorage = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>
const STORAGE_KEY = 'signoff.decisions'

export type Send<Answer> = (decision: Decision, closing: boolean) => Promise<Answer>

export class Outbox<Answer> {
  pending: ReadonlyMap<string, PendingDecision> = new Map()
  refused: ReadonlyMap<string, RefusedDecision> = new Map()
  readonly #timers = new Map<string, ReturnType<typeof setTimeout>>()
  readonly #listeners = new Set<() => void>()
  readonly #arrivalListeners = new Set<(decision: Decision, answer: Answer | null) => void>()
  readonly #send: Send<Answer>
  readonly #storage: DecisionStorage | null
  #otherUsers: readonly Decision[] = []

  constructor(send: Send<Answer>, shelf: DecisionStorage | null = null) {
    this.#send = send
    this.#storage = shelf
  }

  subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /**
   * Called for every decision that has arrived; `answer` is null if it had arrived before and only its response got
   * lost.
   */
  onArrival(listener: (decision: Decision, answer: Answer | null) => void): () => void {
    this.#arrivalListeners.add(listener)
    return () => this.#arrivalListeners.delete(listener)
  }

  /** Holds a decision. Calling it again with the same decision sends it now. */
  decide = (decision: Decision): void => {
    const pending = this.pending.get(decision.reviewId)
    if (pending?.state === 'sending') return
    this.#setRefused(decision.reviewId, null)
    if (pending && isSameDecision(pending, decision)) {
      void this.#deliver(pending, false)
      return
    }
    const until = Date.now() + UNDO_WINDOW
    this.#setPending(decision.reviewId, { ...decision, state: 'held', until, attempts: 0 })
    this.#scheduleSend(decision.reviewId, UNDO_WINDOW)
  }

  /** Undoes a decision that hasn't been sent. Returns it, or null if it's too late. */
  undo = (reviewId: string): Decision | null => {
    const pending = this.pending.get(reviewId)
    // A waiting decision may have arrived although there was no response.
    if (pending?.state !== 'held') return null
    this.#setPending(reviewId, null)
    return pending
  }

  /** Sends held and waiting decisions, all or one, and resolves when each got a response or couldn't be sent. */
  sendNow = async (reviewId?: string, closing = false): Promise<void> => {
    const chosen = [...this.pending.values()].filter(
      each => each.state !== 'sending' && (reviewId === undefined || each.reviewId === reviewId),
    )
    await Promise.all(chosen.map(each => this.#deliver(each, closing)))
  }

  /** Dismisses the notice about a refused decision. */
  dismiss = (reviewId: string): void => this.#setRefused(reviewId, null)

  /** Resumes what the previous page held and couldn't send. Decisions of other members are kept until they are back. */
  resume(person: string): void {
    const kept = this.#load()
    this.#otherUsers = kept.filter(({ by }) => by !== person)
    for (const decision of kept) {
      if (decision.by !== person || this.pending.has(decision.reviewId)) continue
      this.#setPending(decision.reviewId, { ...decision, state: 'waiting', until: Date.now(), attempts: 0 })
    }
    this.#store()
    void this.sendNow()
  }

  async #deliver(pending: PendingDecision, closing: boolean): Promise<void> {
    const { reviewId } = pending
    this.#setPending(reviewId, { ...pending, state: 'sending', attempts: pending.attempts + 1 })
    try {
      const answer = await this.#send(pending, closing)
      this.#markArrived(pending, answer)
    } catch (thrown) {
      const error = thrown instanceof ApiError ? thrown : new ApiError(0, { code: 'network' })
      if (isOwnDecision(error, pending)) this.#markArrived(pending, null)
      else if (isRetryable(error)) this.#scheduleRetry(pending, error)
      else this.#markRefused(pending, error)
    }
  }

  #markArrived(decision: Decision, answer: Answer | null) {
    this.#setPending(decision.reviewId, null)
    for (const listener of this.#arrivalListeners) listener(decision, answer)
  }

  #scheduleRetry(pending: PendingDecision, error: ApiError) {
    const pause = getRetryDelay(error, pending.attempts + 1, RETRY_DELAYS)
    const until = Date.now() + pause
    this.#setPending(pending.reviewId, {
      ...pending,
      state: 'waiting',
      until,
      attempts: pending.attempts + 1,
    })
    this.#scheduleSend(pending.reviewId, pause)
  }

  #markRefused(
    { state: _state, until: _until, attempts: _attempts, ...decision }: PendingDecision,
    error: ApiError,
  ) {
    this.#setPending(decision.reviewId, null)
    this.#setRefused(decision.reviewId, { ...decision, error })
  }

  #scheduleSend(reviewId: string, pause: number) {
    clearTimeout(this.#timers.get(reviewId))
    this.#timers.set(
      reviewId,
      setTimeout(() => void this.sendNow(reviewId), pause),
    )
  }

  #setPending(reviewId: string, decision: PendingDecision | null) {
    if (decision === null || decision.state === 'sending') {
      clearTimeout(this.#timers.get(reviewId))
      this.#timers.delete(reviewId)
    }
    this.pending = withEntry(this.pending, reviewId, decision)
    this.#store()
    this.#notify()
  }

  #setRefused(reviewId: string, decision: RefusedDecision | null) {
    if (decision === null && !this.refused.has(reviewId)) return
    this.refused = withEntry(this.refused, reviewId, decision)
    this.#notify()
  }

  #notify() {
    for (const listener of this.#listeners) listener()
  }

  #store() {
    try {
      const kept = [...this.#otherUsers, ...this.pending.values()]
      if (kept.length === 0) this.#storage?.removeItem(STORAGE_KEY)
      else this.#storage?.setItem(STORAGE_KEY, JSON.stringify(kept))
    } catch {
      // The storage is full or disabled: the decisions stay in memory and are sent when the page closes.
    }
  }

  #load(): Decision[] {
    try {
      const kept: unknown = JSON.parse(this.#storage?.getItem(STORAGE_KEY) ?? '[]')
      return Array.isArray(kept) ? kept.filter(isDecision) : []
    } catch {
      return []
    }
  }
}

const isDecision = (value: unknown): value is Decision =>
  typeof value === 'object' && value !== null && 'reviewId' in value && 'revision' in value && 'data' in value

function withEntry<T>(map: ReadonlyMap<string, T>, key: string, value: T | null): ReadonlyMap<string, T> {
  const copy = new Map(map)
  if (value === null) copy.delete(key)
  else copy.set(key, value)
  return copy
}

const isSameDecision = (pending: Decision, other: Decision): boolean =>
  pending.response === other.response &&
  pending.revision === other.revision &&
  (pending.reason ?? '') === (other.reason ?? '') &&
  JSON.stringify(pending.data) === JSON.stringify(other.data)

/** Whether the first attempt arrived although its response got lost. */
const isOwnDecision = (error: ApiError, decision: Decision): boolean =>
  error.status === 409 &&
  decision.by !== undefined &&
  error.problem.respondingUserId === decision.by &&
  (error.problem.response ?? null) === decision.response

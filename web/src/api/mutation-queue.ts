/**
 * What the member has done and the service hasn't confirmed: decisions, messages, and drafts. A mutation is sent when
 * its hold is over, retried while the service can't be reached, and stored in the tab until it has arrived. A queue
 * outlives the pages, because the member is on the next one by then.
 */

import { blockReloads, confirmBeforeClosing, onPageExit } from '@/lib/page-exit'
import { randomId } from '@/lib/random'
import { listTabKeys, readFromTab, storeInTab } from '@/lib/tab-storage'
import { ApiError } from './client'
import { classifyError, getRetryDelay } from './failures'

export type MutationState = {
  /** Also the idempotency key of every attempt. */
  id: string
  scope: string
  /**
   * `held`: not sent yet. `waiting`: it couldn't be sent and is retried. `refused`: the service rejected it, and it's
   * kept until the member handles it.
   */
  state: 'held' | 'sending' | 'waiting' | 'refused'
  /** Timestamps in milliseconds. Increases with every mutation, so it's also their order. */
  createdAt: number
  /** When it will be sent. */
  until: number
  /** The service asked not to be sent anything before this. */
  notBefore: number
  attempts: number
  /** The error of the last attempt. */
  error?: ApiError
}

export type Mutation<Body> = Body & MutationState

export type SendRequest = {
  /** The page is about to close, and the request is small enough to outlive it. */
  keepalive: boolean
  /** Aborted if the mutation is dropped, or sent again because the page closes. */
  signal: AbortSignal
}

export type QueueOptions<Body, Answer> = {
  /** The start of the storage keys; null while nobody is signed in. */
  getStorageKey: () => string | null
  send: (mutation: Mutation<Body>, request: SendRequest) => Promise<Answer>
  /** Mutations of one scope are sent one at a time, in order. */
  getScope: (body: Body) => string
  /** How long a mutation is held before it's sent, in milliseconds. */
  hold?: number
  /** A mutation replaces the earlier ones of its scope, except the one that's being sent. */
  replaces?: boolean
  /** The page isn't reloaded by itself before everything is sent: a reload would end the time to undo it. */
  blocksReloads?: boolean
  retryDelays: readonly number[]
}

/** Browsers limit the body size of requests that outlive their page. */
const MAX_KEEPALIVE_BYTES = 60_000

const fitsKeepalive = (mutation: unknown): boolean =>
  new TextEncoder().encode(JSON.stringify(mutation)).length < MAX_KEEPALIVE_BYTES

/** Whether it's certain that the service doesn't have the mutation. If only a response got lost, it does. */
export const isUnsent = ({ state, attempts }: MutationState): boolean =>
  state === 'held' || state === 'refused' || (state === 'waiting' && attempts === 0)

type Run = { aborter: AbortController; done: Promise<void> }

let lastCreatedAt = 0

export class MutationQueue<Body extends object, Answer> {
  all: readonly Mutation<Body>[] = []
  readonly #options: QueueOptions<Body, Answer>
  /** The requests in progress, by scope. */
  readonly #runs = new Map<string, Run>()
  readonly #timers = new Map<string, ReturnType<typeof setTimeout>>()
  readonly #listeners = new Set<() => void>()
  readonly #arrivalListeners = new Set<(mutation: Mutation<Body>, answer: Answer) => void>()
  /** Set once the stored mutations are loaded: a page belongs to one member. */
  #storageKey: string | null = null

  constructor(options: QueueOptions<Body, Answer>) {
    this.#options = options
  }

  subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /** Calls the listener for every mutation that has arrived, before it leaves the queue. */
  onArrival = (listener: (mutation: Mutation<Body>, answer: Answer) => void): (() => void) => {
    this.#arrivalListeners.add(listener)
    return () => this.#arrivalListeners.delete(listener)
  }

  /** The newest mutation of a scope. */
  find = (scope: string): Mutation<Body> | undefined => this.all.findLast(each => each.scope === scope)

  add(body: Body): void {
    this.load()
    const { getScope, hold = 0, replaces } = this.#options
    const scope = getScope(body)
    const now = Date.now()
    const waiting = this.all.findLast(each => each.scope === scope && each.state !== 'sending')
    const replaced = replaces ? waiting : undefined
    const until = Math.max(now + hold, replaced?.notBefore ?? 0)
    lastCreatedAt = Math.max(now, lastCreatedAt + 1)
    const mutation: Mutation<Body> = {
      ...body,
      id: randomId(),
      scope,
      state: until > now ? 'held' : waiting?.state === 'waiting' ? 'waiting' : 'sending',
      createdAt: lastCreatedAt,
      until,
      notBefore: waiting?.notBefore ?? 0,
      attempts: replaced?.attempts ?? 0,
    }
    this.#set([...this.all.filter(each => each !== replaced), mutation])
    // Something new is a reason to try again, unless the service asked for a pause.
    if (hold === 0 && mutation.notBefore <= now) void this.sendNow(scope)
    else void this.#deliver(scope)
  }

  /** Removes a mutation that hasn't been sent. Returns it, or undefined if it's too late. */
  cancel = (id: string): Mutation<Body> | undefined => {
    const found = this.all.find(each => each.id === id)
    if (!found || !isUnsent(found)) return undefined
    this.#set(this.all.filter(each => each !== found))
    return found
  }

  /** Removes everything from a scope: it no longer matters whether it arrives. */
  drop(scope: string): void {
    this.#runs.get(scope)?.aborter.abort()
    this.#runs.delete(scope)
    if (this.find(scope)) this.#set(this.all.filter(each => each.scope !== scope))
  }

  /** Sends what isn't refused without waiting any longer, in one scope or in all. Resolves once everything was tried. */
  sendNow = async (scope?: string, closing = false): Promise<void> => {
    const isMeant = (each: MutationState) =>
      each.state !== 'refused' && (scope === undefined || each.scope === scope)
    const scopes = new Set(this.all.filter(isMeant).map(each => each.scope))
    if (scopes.size === 0) return
    const now = Date.now()
    this.#set(this.all.map(each => (isMeant(each) && each.until > now ? { ...each, until: now } : each)))
    await Promise.all([...scopes].map(each => (closing ? this.#deliverOnExit(each) : this.#deliver(each))))
  }

  /** Sends a refused mutation again: the reason may no longer apply. */
  retry = async (id: string): Promise<void> => {
    const refused = this.all.find(each => each.id === id && each.state === 'refused')
    if (!refused) return
    this.#change(id, { state: 'waiting', until: Date.now(), error: undefined })
    await this.#deliver(refused.scope)
  }

  /** Loads what the tab stored for this member before the page was reloaded. */
  load(): void {
    const key = this.#options.getStorageKey()
    if (key === null || this.#storageKey !== null) return
    this.#storageKey = key
    const stored = listTabKeys(`${key}.`).flatMap(name => revive<Body>(readFromTab(name)) ?? [])
    if (stored.length === 0) return
    const known = new Set(this.all.map(each => each.id))
    const added = stored.filter(each => !known.has(each.id)).sort((a, b) => a.createdAt - b.createdAt)
    this.#set([...added, ...this.all])
  }

  /** Continues where the previous page stopped. */
  resume = (): void => {
    this.load()
    void this.sendNow()
  }

  /** Whether closing the page now would lose something, or leave it unsent for an unknown time. */
  hasUnsendable = (): boolean =>
    this.all.some(each => {
      if (each.state === 'waiting' || each.state === 'refused') return each.state === 'waiting'
      const isNext = each === this.#getNext(each.scope, true)
      return isNext ? !fitsKeepalive(each) : !this.#options.replaces
    })

  /** On exit, only one request of a scope can be sent: the first one, or the one that replaces it. */
  #getNext(scope: string, isExit = false): Mutation<Body> | undefined {
    const isNext = (each: MutationState) => each.scope === scope && each.state !== 'refused'
    return isExit && this.#options.replaces ? this.all.findLast(isNext) : this.all.find(isNext)
  }

  #deliver(scope: string): Promise<void> {
    return this.#runs.get(scope)?.done ?? this.#run(scope, false)
  }

  /** A closing page can't wait for a request in progress, and cancels it: its mutation is sent again. */
  #deliverOnExit(scope: string): Promise<void> {
    const next = this.#getNext(scope, true)
    const running = this.#runs.get(scope)
    if (!next || (running && !fitsKeepalive(next))) return Promise.resolve()
    running?.aborter.abort()
    if (this.#options.replaces) this.#set(this.all.filter(each => each === next || each.scope !== scope))
    return this.#run(scope, true)
  }

  #run(scope: string, isExit: boolean): Promise<void> {
    clearTimeout(this.#timers.get(scope))
    this.#timers.delete(scope)
    const run: Run = { aborter: new AbortController(), done: Promise.resolve() }
    this.#runs.set(scope, run)
    run.done = this.#sendDue(scope, run, isExit)
    return run.done
  }

  async #sendDue(scope: string, run: Run, isExit: boolean): Promise<void> {
    const { signal } = run.aborter
    while (!signal.aborted) {
      const next = this.#getNext(scope)
      const pause = (next?.until ?? 0) - Date.now()
      if (next && pause > 0)
        this.#timers.set(
          scope,
          setTimeout(() => void this.#deliver(scope), pause),
        )
      if (!next || pause > 0) break
      await this.#attempt(next, { keepalive: isExit && fitsKeepalive(next), signal })
    }
    if (this.#runs.get(scope) === run) this.#runs.delete(scope)
  }

  async #attempt(mutation: Mutation<Body>, request: SendRequest): Promise<void> {
    const attempts = mutation.attempts + 1
    this.#change(mutation.id, { state: 'sending', attempts })
    try {
      const answer = await this.#options.send(mutation, request)
      if (request.signal.aborted) return
      for (const listener of this.#arrivalListeners) listener(mutation, answer)
      this.#set(this.all.filter(each => each.id !== mutation.id))
    } catch (thrown) {
      if (!request.signal.aborted) this.#handleError(mutation, attempts, thrown, request.keepalive)
    }
  }

  #handleError({ id, scope }: MutationState, attempts: number, thrown: unknown, keepalive: boolean): void {
    const failure = classifyError(thrown)
    const { error } = failure
    const newer = this.#options.replaces
      ? this.all.find(each => each.scope === scope && each.id !== id)
      : undefined
    if (newer) this.#set(this.all.filter(each => each.id !== id))
    // A closing page can't wait for the member to sign in again.
    if (failure.isTemporary || (keepalive && error.status === 401)) {
      const now = Date.now()
      const until = now + getRetryDelay(failure, attempts, this.#options.retryDelays)
      const notBefore = now + failure.retryAfter
      this.#change(newer?.id ?? id, { state: 'waiting', until, notBefore, attempts, error })
      // Those behind it wait too.
      for (const each of this.all)
        if (each.scope === scope && each.state === 'sending') this.#change(each.id, { state: 'waiting' })
    } else if (!newer) this.#change(id, { state: 'refused', error })
  }

  #change(id: string, change: Partial<MutationState>): void {
    this.#set(this.all.map(each => (each.id === id ? { ...each, ...change } : each)))
  }

  #set(all: readonly Mutation<Body>[]): void {
    const before = this.all
    this.all = all
    this.#store(before)
    for (const listener of this.#listeners) listener()
  }

  #store(before: readonly Mutation<Body>[]): void {
    const key = this.#storageKey
    if (key === null) return
    const [stored, ids] = [new Set(before), new Set(this.all.map(each => each.id))]
    // First, so that there is room for what replaces them.
    for (const { id } of before) if (!ids.has(id)) storeInTab(`${key}.${id}`, null)
    for (const each of this.all) if (!stored.has(each)) storeInTab(`${key}.${each.id}`, each)
  }
}

/** A stored mutation. Its last attempt was interrupted, so it may have arrived. */
function revive<Body>(stored: unknown): Mutation<Body> | null {
  const mutation = stored as Mutation<Body> | null
  if (typeof mutation !== 'object' || mutation === null || !(mutation.id && mutation.scope)) return null
  const { error } = mutation
  return {
    ...mutation,
    state: mutation.state === 'refused' ? 'refused' : 'waiting',
    error: error && new ApiError(error.status, error.problem),
  }
}

/** A queue that sends what it has before the page closes, and when the browser is back online. */
export function startMutationQueue<Body extends object, Answer>(
  options: QueueOptions<Body, Answer>,
): MutationQueue<Body, Answer> {
  const queue = new MutationQueue(options)
  if (typeof window === 'undefined') return queue
  onPageExit(closing => queue.sendNow(undefined, closing))
  window.addEventListener('online', () => void queue.sendNow())
  confirmBeforeClosing(queue.hasUnsendable)
  if (options.blocksReloads) blockReloads(() => queue.all.some(each => each.state !== 'refused'))
  return queue
}

/**
 * Messages on their way to the service, in order for each session. What could not be sent is kept and tried again; what
 * was refused is kept until somebody has dealt with it. It outlives the page that a message was written on.
 */

import { ApiError } from './client'
import { getRetryDelay, isRetryable } from './retry-delays'
import type { Message } from './session-timeline'

const RETRY_DELAYS = [3_000, 8_000, 20_000, 60_000] as const
/** So long an answered one stays known: until everybody has seen it in the timeline. */
const SENT_RETENTION = 5_000
const STORAGE_KEY = 'signoff.messages'

export type AttachedFile = { url: string; name: string; contentType: string; size: number }

export type OutgoingMessage = {
  /** Sent with every attempt, so that it arrives once. */
  key: string
  sessionId: string
  text: string
  attachments: readonly AttachedFile[]
  /** When it was written, in milliseconds of the clock. */
  at: number
  /** The newest message's number that the writer saw. */
  after: number
  /** The writer's ID. */
  by: string
  /** `waiting`: the service was not reached; it is tried again. `refused`: it said no. `sent`: here is its ID. */
  state: 'sending' | 'waiting' | 'refused' | 'sent'
  attempts: number
  fault?: string
  messageId?: string
}

type MessageStorage = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>
export type SendMessage = (outgoing: OutgoingMessage) => Promise<Message>

export class OutgoingMessages {
  all: readonly OutgoingMessage[] = []
  readonly #send: SendMessage
  readonly #storage: MessageStorage | null
  #otherUsers: readonly OutgoingMessage[] = []
  readonly #busy = new Set<string>()
  /** What is under way in each session. */
  readonly #running = new Map<string, Promise<void>>()
  readonly #timers = new Map<string, ReturnType<typeof setTimeout>>()
  readonly #listeners = new Set<() => void>()
  readonly #arrivalListeners = new Set<(message: Message) => void>()

  constructor(send: SendMessage, shelf: MessageStorage | null = null) {
    this.#send = send
    this.#storage = shelf
  }

  subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  onArrival(listener: (message: Message) => void): () => void {
    this.#arrivalListeners.add(listener)
    return () => this.#arrivalListeners.delete(listener)
  }

  add = (
    written: Pick<OutgoingMessage, 'key' | 'sessionId' | 'text' | 'attachments' | 'at' | 'after' | 'by'>,
  ): void => {
    this.#set([...this.all, { ...written, state: 'sending', attempts: 0 }])
    void this.#deliver(written.sessionId)
  }

  /** Tries again what did not arrive, and waits for what is on its way: all of a session, or of all sessions. */
  retry = async (sessionId?: string): Promise<void> => {
    const sessions = new Set(
      this.all
        .filter(each => isInProgress(each) && (sessionId === undefined || each.sessionId === sessionId))
        .map(each => each.sessionId),
    )
    await Promise.all([...sessions].map(each => this.#deliver(each)))
  }

  /** Tries a refused one again, as it is: what stood against it may be gone. */
  retryRefused = (key: string): void => {
    const refused = this.all.find(each => each.key === key && each.state === 'refused')
    if (!refused) return
    this.#change(key, { state: 'waiting', fault: undefined })
    void this.#deliver(refused.sessionId)
  }

  /** Forgets one that has not been sent. Answers it; undefined when it may have arrived. */
  discard = (key: string): OutgoingMessage | undefined => {
    const found = this.all.find(each => each.key === key)
    if (!found || !isUnsent(found)) return undefined
    this.#set(this.all.filter(each => each.key !== key))
    return found
  }

  /** Goes on with what this person wrote before the page was loaded anew. What others wrote stays for when they are back. */
  resume = (person: string): void => {
    const known = new Set(this.all.map(each => each.key))
    const onShelf = this.#load()
    this.#otherUsers = onShelf.filter(each => each.by !== person)
    const kept = onShelf.filter(each => each.by === person && !known.has(each.key))
    this.#set([...this.all.filter(each => each.by === person), ...kept])
    void this.retry()
  }

  /** One after the other: a message never overtakes one that was written before it. */
  #deliver(sessionId: string): Promise<void> {
    if (!this.#busy.has(sessionId)) this.#running.set(sessionId, this.#deliverAll(sessionId))
    return this.#running.get(sessionId) ?? Promise.resolve()
  }

  async #deliverAll(sessionId: string): Promise<void> {
    this.#busy.add(sessionId)
    clearTimeout(this.#timers.get(sessionId))
    try {
      for (;;) {
        const next = this.all.find(each => each.sessionId === sessionId && isInProgress(each))
        if (!next || !(await this.#attempt(next))) return
      }
    } finally {
      this.#busy.delete(sessionId)
    }
  }

  async #attempt(outgoing: OutgoingMessage): Promise<boolean> {
    const { key, sessionId } = outgoing
    const attempts = outgoing.attempts + 1
    this.#change(key, { state: 'sending', attempts })
    try {
      const message = await this.#send(outgoing)
      for (const listener of this.#arrivalListeners) listener(message)
      this.#change(key, { state: 'sent', messageId: message.messageId })
      setTimeout(() => this.#set(this.all.filter(each => each.key !== key)), SENT_RETENTION)
      return true
    } catch (thrown) {
      const error = thrown instanceof ApiError ? thrown : new ApiError(0, { code: 'network' })
      const isPassing = isRetryable(error)
      this.#change(key, { state: isPassing ? 'waiting' : 'refused', fault: error.message })
      if (!isPassing) return true
      this.#holdBack(sessionId)
      const pause = getRetryDelay(error, attempts, RETRY_DELAYS)
      this.#timers.set(
        sessionId,
        setTimeout(() => void this.#deliver(sessionId), pause),
      )
      return false
    }
  }

  /** Those behind one that did not get through wait as it does. */
  #holdBack(sessionId: string) {
    this.#set(
      this.all.map(each =>
        each.sessionId === sessionId && each.state === 'sending' ? { ...each, state: 'waiting' } : each,
      ),
    )
  }

  #change(key: string, change: Partial<OutgoingMessage>) {
    this.#set(this.all.map(each => (each.key === key ? { ...each, ...change } : each)))
  }

  #set(all: readonly OutgoingMessage[]) {
    this.all = all
    this.#keep()
    for (const listener of this.#listeners) listener()
  }

  #keep() {
    const unsent = [...this.#otherUsers, ...this.all.filter(each => each.state !== 'sent')]
    try {
      if (unsent.length === 0) this.#storage?.removeItem(STORAGE_KEY)
      else this.#storage?.setItem(STORAGE_KEY, JSON.stringify(unsent))
    } catch {
      // The storage is full or switched off: they are still held here.
    }
  }

  #load(): OutgoingMessage[] {
    try {
      const kept: unknown = JSON.parse(this.#storage?.getItem(STORAGE_KEY) ?? '[]')
      if (!Array.isArray(kept)) return []
      return kept
        .filter(isOutgoing)
        .map(each => (each.state === 'refused' ? each : { ...each, state: 'waiting' }))
    } catch {
      return []
    }
  }
}

const isInProgress = ({ state }: OutgoingMessage): boolean => state === 'sending' || state === 'waiting'

/** Whether it is certain that the service does not have it. Where only the answer was lost, it does. */
export const isUnsent = ({ state, attempts }: OutgoingMessage): boolean =>
  state === 'refused' || (state === 'waiting' && attempts === 0)

const isOutgoing = (value: unknown): value is OutgoingMessage =>
  typeof value === 'object' && value !== null && 'key' in value && 'sessionId' in value && 'text' in value

/** Those that the timeline does not show yet: the live line may bring a message before the answer to sending it. */
export function withoutShown(
  outgoing: readonly OutgoingMessage[],
  messages: readonly Message[],
): OutgoingMessage[] {
  const taken = new Set<string>()
  return outgoing.filter(each => {
    const shown = messages.find(message =>
      each.messageId === undefined
        ? each.state !== 'refused' &&
          !taken.has(message.messageId) &&
          message.number > each.after &&
          message.user?.id === each.by &&
          message.text === each.text
        : message.messageId === each.messageId,
    )
    if (shown) taken.add(shown.messageId)
    return shown === undefined
  })
}

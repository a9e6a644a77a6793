/**
 * Messages on their way to the service, in order for each session. A message that couldn't be sent is kept and retried;
 * a refused one is kept until the member handles it. It outlives the page on which it was written.
 */

import { ApiError } from './client'
import { getRetryDelay, isRetryable } from './retry-delays'
import type { Message } from './session-timeline'

const RETRY_DELAYS = [3_000, 8_000, 20_000, 60_000] as const
/** How long a sent message is kept, so that the timeline shows it before it's dropped. */
const SENT_RETENTION = 5_000
const STORAGE_KEY = 'signoff.messages'

export type AttachedFile = { url: string; name: string; contentType: string; size: number }

export type OutgoingMessage = {
  /** Sent with every attempt, so that the message is created once. */
  key: string
  sessionId: string
  text: string
  attachments: readonly AttachedFile[]
  /** When it was written, as a timestamp in milliseconds. */
  at: number
  /** The number of the newest message that the author saw. */
  after: number
  /** The author's ID. */
  by: string
  /**
   * `waiting`: the service couldn't be reached; the message is retried. `refused`: the service rejected it. `sent`: it
   * has an ID now.
   */
  state: 'sending' | 'waiting' | 'refused' | 'sent'
  attempts: number
  error?: string
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
  /** The request in progress of each session. */
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

  /** Retries messages that didn't arrive and waits for those being sent, in one session or in all. */
  retry = async (sessionId?: string): Promise<void> => {
    const sessions = new Set(
      this.all
        .filter(each => isInProgress(each) && (sessionId === undefined || each.sessionId === sessionId))
        .map(each => each.sessionId),
    )
    await Promise.all([...sessions].map(each => this.#deliver(each)))
  }

  /** Retries a refused message unchanged: the reason may no longer apply. */
  retryRefused = (key: string): void => {
    const refused = this.all.find(each => each.key === key && each.state === 'refused')
    if (!refused) return
    this.#change(key, { state: 'waiting', error: undefined })
    void this.#deliver(refused.sessionId)
  }

  /** Discards a message that hasn't been sent. Returns it, or undefined if it may have arrived. */
  discard = (key: string): OutgoingMessage | undefined => {
    const found = this.all.find(each => each.key === key)
    if (!found || !isUnsent(found)) return undefined
    this.#set(this.all.filter(each => each.key !== key))
    return found
  }

  /**
   * Resumes the messages that this member wrote before the page was reloaded. Messages of other members are kept until
   * they are back.
   */
  resume = (person: string): void => {
    const known = new Set(this.all.map(each => each.key))
    const onShelf = this.#load()
    this.#otherUsers = onShelf.filter(each => each.by !== person)
    const kept = onShelf.filter(each => each.by === person && !known.has(each.key))
    this.#set([...this.all.filter(each => each.by === person), ...kept])
    void this.retry()
  }

  /** Sends one message at a time, to keep their order. */
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
      this.#change(key, { state: isPassing ? 'waiting' : 'refused', error: error.message })
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

  /** Messages behind one that couldn't be sent wait as well. */
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
      // The storage is full or disabled: the messages stay in memory.
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

/** Whether it's certain that the service doesn't have the message. If only the response got lost, it does. */
export const isUnsent = ({ state, attempts }: OutgoingMessage): boolean =>
  state === 'refused' || (state === 'waiting' && attempts === 0)

const isOutgoing = (value: unknown): value is OutgoingMessage =>
  typeof value === 'object' && value !== null && 'key' in value && 'sessionId' in value && 'text' in value

/** The messages that the timeline doesn't show yet: the event stream may deliver a message before its response. */
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

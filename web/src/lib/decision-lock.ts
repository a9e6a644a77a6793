/**
 * Keeps a decision from landing on content that has just appeared: the second half of a double click, a key meant for
 * the previous review, a press while the agent sends a new revision. Every way to decide asks the lock.
 */

import { type RefObject, useCallback, useLayoutEffect, useState, useSyncExternalStore } from 'react'
import { hasOpenLayer } from './shortcuts'

/** How long content is on screen before it can be decided. */
export const HOLD_MS = 600

export type LockClock = {
  /** In the time base of `Event.timeStamp`. */
  now: () => number
  /** Calls `run` once the browser has painted what `isReady` waits for. Returns a function that cancels. */
  afterPaint: (isReady: () => boolean, run: () => void) => () => void
  after: (milliseconds: number, run: () => void) => () => void
}

export const browserClock: LockClock = {
  now: () => performance.now(),
  // Frames stop while the page is hidden. The second frame means that the first was painted.
  afterPaint: (isReady, run) => {
    let frame = requestAnimationFrame(function check() {
      frame = requestAnimationFrame(isReady() ? run : check)
    })
    return () => cancelAnimationFrame(frame)
  },
  after: (milliseconds, run) => {
    const timer = setTimeout(run, milliseconds)
    return () => clearTimeout(timer)
  },
}

export class DecisionLock {
  #subject: string | null = null
  /** Infinite until the subject is painted. */
  #opensAt = Number.POSITIVE_INFINITY
  #isOpen = false
  #cancel = () => {}
  readonly #listeners = new Set<() => void>()
  readonly #clock: LockClock

  constructor(clock: LockClock = browserClock) {
    this.#clock = clock
  }

  subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /** Locks until this subject has been painted and the hold has passed. Null if there is nothing to decide. */
  show(subject: string | null, isReady: () => boolean): void {
    this.#cancel()
    this.#subject = subject
    this.#opensAt = Number.POSITIVE_INFINITY
    this.#setOpen(false)
    if (subject === null) return
    this.#cancel = this.#clock.afterPaint(isReady, () => {
      this.#opensAt = this.#clock.now() + HOLD_MS
      this.#cancel = this.#clock.after(HOLD_MS, () => this.#setOpen(true))
    })
  }

  /** For display only. A timer may be late, so `allows` says whether a decision counts. */
  isLocked = (subject: string): boolean => subject !== this.#subject || !this.#isOpen

  /** Whether a decision about the subject made at this time counts. */
  allows = (subject: string, at: number): boolean => subject === this.#subject && at >= this.#opensAt

  #setOpen(open: boolean) {
    if (open === this.#isOpen) return
    this.#isOpen = open
    for (const listener of this.#listeners) listener()
  }
}

type Options = {
  /** The content: ready when nothing in it is marked `data-loading`. */
  content: RefObject<HTMLElement | null>
  /** The content itself is in a dialog. Otherwise an open dialog covers it. */
  inDialog?: boolean
  clock?: LockClock
}

/** The lock of the content shown here. `subject` has to change with everything that the decision depends on. */
export function useDecisionLock(subject: string, { content, inDialog = false, clock }: Options) {
  const [lock] = useState(() => new DecisionLock(clock))
  const isReady = useCallback(
    () =>
      document.visibilityState === 'visible' &&
      content.current !== null &&
      content.current.querySelector('[data-loading]') === null &&
      (inDialog || !hasOpenLayer()),
    [content, inDialog],
  )
  useLayoutEffect(() => {
    lock.show(subject, isReady)
    return () => lock.show(null, isReady)
  }, [lock, subject, isReady])
  return {
    isLocked: useSyncExternalStore(lock.subscribe, () => lock.isLocked(subject)),
    allows: ({ timeStamp }: { timeStamp: number }) => lock.allows(subject, timeStamp),
  }
}

/**
 * Keeps a decision from landing on content that only just appeared: the second half of a double click, a key that was
 * meant for the review before, a press while the agent sends a new revision. Every way of deciding asks the lock.
 */

import { type RefObject, useCallback, useLayoutEffect, useState, useSyncExternalStore } from 'react'
import { hasOpenLayer } from './shortcuts'

/** How long content is on screen before it can be decided. */
export const HOLD_MS = 600

export type LockClock = {
  /** On the time line of `Event.timeStamp`. */
  now: () => number
  /** Calls `run` once the browser has painted what `isReady` says is there. Answers how to cancel it. */
  afterPaint: (isReady: () => boolean, run: () => void) => () => void
  after: (milliseconds: number, run: () => void) => () => void
}

export const browserClock: LockClock = {
  now: () => performance.now(),
  // Frames stop while the page is hidden. The frame after a frame comes when that one was painted.
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
  /** Infinite until the subject was painted. */
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

  /** Locks until this subject has been painted and the hold has passed. Null when there is nothing to decide. */
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

  /** How it looks. A timer may be late, so whether a decision counts is for `allows` to say. */
  isLocked = (subject: string): boolean => subject !== this.#subject || !this.#isOpen

  /** Whether a decision about the subject counts that was asked for at this time. */
  allows = (subject: string, at: number): boolean => subject === this.#subject && at >= this.#opensAt

  #setOpen(open: boolean) {
    if (open === this.#isOpen) return
    this.#isOpen = open
    for (const listener of this.#listeners) listener()
  }
}

type Options = {
  /** The content: nothing marked `data-loading` may be left in it. */
  content: RefObject<HTMLElement | null>
  /** The content is itself in a dialog. Elsewhere an open dialog covers it. */
  inDialog?: boolean
  clock?: LockClock
}

/** The lock of what is shown here. `subject` changes with everything that makes it something else to decide. */
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

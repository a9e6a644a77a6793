/** Which reviews the person has opened in this browser, in the revision that they saw. */

import { useSyncExternalStore } from 'react'

const MOST_KEPT = 5_000
const SHELF = 'signoff.opened'

type Opened = ReadonlyMap<string, number>

let person = ''
let opened: Opened = new Map()
const listeners = new Set<() => void>()

const place = () => `${SHELF}.${person}`

function read(): Opened {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(place()) ?? '[]')
    return new Map(Array.isArray(kept) ? (kept as [string, number][]) : [])
  } catch {
    return new Map()
  }
}

function tell() {
  for (const listener of listeners) listener()
}

/** Begins with what this person has opened before. Another tab of theirs may open more. */
export function followOpened(userId: string): () => void {
  person = userId
  opened = read()
  tell()
  const onStorage = (event: StorageEvent) => {
    if (event.key !== place()) return
    opened = read()
    tell()
  }
  window.addEventListener('storage', onStorage)
  return () => window.removeEventListener('storage', onStorage)
}

export function markOpened(reviewId: string, revision: number) {
  if ((opened.get(reviewId) ?? 0) >= revision) return
  const kept = new Map(opened)
  kept.delete(reviewId)
  kept.set(reviewId, revision)
  opened = new Map([...kept].slice(-MOST_KEPT))
  try {
    localStorage.setItem(place(), JSON.stringify([...opened]))
  } catch {
    // The storage is full or switched off: it is known until the page closes.
  }
  tell()
}

function subscribe(listener: () => void) {
  listeners.add(listener)
  return () => {
    listeners.delete(listener)
  }
}

export const useOpened = (): Opened => useSyncExternalStore(subscribe, () => opened)

/** Content that the agent replaced since has not been seen. */
export const hasOpened = (known: Opened, review: { reviewId: string; revision: number }): boolean =>
  (known.get(review.reviewId) ?? 0) >= review.revision

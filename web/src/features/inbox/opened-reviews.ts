/** The reviews and revisions that the member has opened in this browser. */

import { useSyncExternalStore } from 'react'

const MAX_STORED = 5_000
const STORAGE_PREFIX = 'signoff.opened'

type OpenedRevisions = ReadonlyMap<string, number>

let currentUserId = ''
let opened: OpenedRevisions = new Map()
const listeners = new Set<() => void>()

const getKey = () => `${STORAGE_PREFIX}.${currentUserId}`

function readStored(): OpenedRevisions {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(getKey()) ?? '[]')
    return new Map(Array.isArray(kept) ? (kept as [string, number][]) : [])
  } catch {
    return new Map()
  }
}

function notifyListeners() {
  for (const listener of listeners) listener()
}

/** Loads what this member has opened before, and follows their other tabs. */
export function trackOpenedReviews(userId: string): () => void {
  currentUserId = userId
  opened = readStored()
  notifyListeners()
  const onStorage = (event: StorageEvent) => {
    if (event.key !== getKey()) return
    opened = readStored()
    notifyListeners()
  }
  window.addEventListener('storage', onStorage)
  return () => window.removeEventListener('storage', onStorage)
}

export function markOpened(reviewId: string, revision: number) {
  if ((opened.get(reviewId) ?? 0) >= revision) return
  const kept = new Map(opened)
  kept.delete(reviewId)
  kept.set(reviewId, revision)
  opened = new Map([...kept].slice(-MAX_STORED))
  try {
    localStorage.setItem(getKey(), JSON.stringify([...opened]))
  } catch {
    // The storage is full or disabled: the state lasts until the page closes.
  }
  notifyListeners()
}

function subscribe(listener: () => void) {
  listeners.add(listener)
  return () => {
    listeners.delete(listener)
  }
}

export const useOpenedReviews = (): OpenedRevisions => useSyncExternalStore(subscribe, () => opened)

/** A revision that replaced the opened one counts as new. */
export const hasOpened = (known: OpenedRevisions, review: { reviewId: string; revision: number }): boolean =>
  (known.get(review.reviewId) ?? 0) >= review.revision

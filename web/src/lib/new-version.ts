/**
 * Notices that the service has a newer build of this app. The files of a build carry hashes of their content and go with
 * it, so a page of an older one can miss parts that it hasn't loaded yet. The page offers to load the new one; what was
 * typed is kept by the tab.
 */

import { useSyncExternalStore } from 'react'
import { leaveUnasked } from './leaving'
import { keepInTab, readFromTab } from './tab-storage'

const ENTRY = /<script[^>]+src="([^"]+)"/
const RELOADED_FOR = 'signoff.reloaded-for'
const LOOK_AGAIN_AFTER = 10_000

let available: string | null = null
let looking: Promise<string | null> | null = null
let lookedAt = Number.NEGATIVE_INFINITY
const listeners = new Set<() => void>()

/** The name of the entry changes with every file that it leads to: it names the build. */
const entryIn = (page: string): string | null => ENTRY.exec(page)?.[1] ?? null

const ownEntry = (): string | null =>
  document.querySelector('script[type=module][src]')?.getAttribute('src') ?? null

/** Asks the service for its build. Answers the newer one's name; null if there is none, or nobody answers. Never rejects. */
export function lookForNewVersion(): Promise<string | null> {
  if (available !== null) return Promise.resolve(available)
  if (looking !== null) return looking
  if (Date.now() - lookedAt < LOOK_AGAIN_AFTER) return Promise.resolve(null)
  looking = look().finally(() => {
    looking = null
    lookedAt = Date.now()
  })
  return looking
}

async function look(): Promise<string | null> {
  try {
    const answer = await fetch(document.baseURI, { cache: 'no-store' })
    const entry = answer.ok ? entryIn(await answer.text()) : null
    if (entry === null || entry === ownEntry()) return null
    available = entry
    for (const listener of listeners) listener()
    return entry
  } catch {
    // No connection: there is nothing to load either.
    return null
  }
}

export function reloadPage(): void {
  const here = new URL(location.href)
  // An address that differs in nothing but this would not be loaded.
  here.hash = ''
  leaveUnasked(here)
}

/** Loads the new build, once: if that doesn't help, nothing does. Answers whether it is under way. */
export function reloadFor(build: string): boolean {
  if (readFromTab<string>(RELOADED_FOR) === build) return false
  keepInTab(RELOADED_FOR, build)
  // Without the note in the tab it might go round in circles.
  if (readFromTab<string>(RELOADED_FOR) !== build) return false
  reloadPage()
  return true
}

export const useNewVersion = (): boolean =>
  useSyncExternalStore(
    listener => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => available !== null,
  )

if (typeof window !== 'undefined')
  window.addEventListener('vite:preloadError', () => void lookForNewVersion())

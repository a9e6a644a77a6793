/**
 * Detects that the service has a newer build of this app. File names contain hashes of their content and change with
 * the build, so a page of an older build may fail to load parts later. The page offers a reload; the tab keeps unsaved
 * text.
 */

import { useSyncExternalStore } from 'react'
import { leavePage } from './page-exit'
import { readFromTab, storeInTab } from './tab-storage'

const ENTRY = /<script[^>]+src="([^"]+)"/
const RELOADED_FOR = 'signoff.reloaded-for'
const RECHECK_INTERVAL = 10_000

let newBuild: string | null = null
let pendingCheck: Promise<string | null> | null = null
let checkedAt = Number.NEGATIVE_INFINITY
const listeners = new Set<() => void>()

/** The entry's name changes with every file that it imports, so it identifies the build. */
const findEntry = (page: string): string | null => ENTRY.exec(page)?.[1] ?? null

const getOwnEntry = (): string | null =>
  document.querySelector('script[type=module][src]')?.getAttribute('src') ?? null

/**
 * Asks the service for its build. Resolves with the newer build's name; null if there is none, or no response. Never
 * rejects.
 */
export function checkForNewVersion(): Promise<string | null> {
  if (newBuild !== null) return Promise.resolve(newBuild)
  if (pendingCheck !== null) return pendingCheck
  if (Date.now() - checkedAt < RECHECK_INTERVAL) return Promise.resolve(null)
  pendingCheck = fetchNewBuild().finally(() => {
    pendingCheck = null
    checkedAt = Date.now()
  })
  return pendingCheck
}

async function fetchNewBuild(): Promise<string | null> {
  try {
    const answer = await fetch(document.baseURI, { cache: 'no-store' })
    const entry = answer.ok ? findEntry(await answer.text()) : null
    if (entry === null || entry === getOwnEntry()) return null
    newBuild = entry
    for (const listener of listeners) listener()
    return entry
  } catch {
    // No connection: there is nothing to load either.
    return null
  }
}

export function reloadPage(): void {
  const here = new URL(location.href)
  // A URL that differs only in its fragment wouldn't reload the page.
  here.hash = ''
  leavePage(here)
}

/** Loads the new build, once: if that doesn't help, nothing does. Returns whether the page is reloading. */
export function reloadForBuild(build: string): boolean {
  if (readFromTab<string>(RELOADED_FOR) === build) return false
  storeInTab(RELOADED_FOR, build)
  // Without the note in the tab, it might reload forever.
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
    () => newBuild !== null,
  )

if (typeof window !== 'undefined')
  window.addEventListener('vite:preloadError', () => void checkForNewVersion())

/**
 * Detects that the service has a newer build of this app. File names contain hashes of their content and change with
 * the build, so a page of an older build may fail to load parts later. The page offers a reload, and reloads when the
 * member goes to another page, unless that would interrupt something. The tab keeps unsaved text.
 */

import { useSyncExternalStore } from 'react'
import { isReloadSafe, leavePage } from './page-exit'
import { readFromTab, storeInTab } from './tab-storage'

/** What the service has: this build, another one, or no answer. */
export type BuildState = 'current' | 'newer' | 'unreachable'

const ENTRY = /<script[^>]+src="([^"]+)"/
const RELOADED_FOR = 'signoff.reloaded-for'
const TIMEOUT = 10_000

let newBuild: string | null = null
let pendingCheck: Promise<BuildState> | null = null
const listeners = new Set<() => void>()

/** The entry's name changes with every file that it imports, so it identifies the build. */
const findEntry = (page: string): string | null => ENTRY.exec(page)?.[1] ?? null

const getOwnEntry = (): string | null =>
  document.querySelector('script[type=module][src]')?.getAttribute('src') ?? null

/** Asks the service for its build. Never rejects. */
export function checkForNewVersion(): Promise<BuildState> {
  pendingCheck ??= fetchBuildState().finally(() => {
    pendingCheck = null
  })
  return pendingCheck
}

async function fetchBuildState(): Promise<BuildState> {
  try {
    const answer = await fetch(document.baseURI, { cache: 'no-store', signal: AbortSignal.timeout(TIMEOUT) })
    const entry = answer.ok ? findEntry(await answer.text()) : null
    if (entry === null) return 'unreachable'
    const isNew = entry !== getOwnEntry()
    setNewBuild(isNew ? entry : null)
    return isNew ? 'newer' : 'current'
  } catch {
    // No connection, which says nothing about the build.
    return 'unreachable'
  }
}

function setNewBuild(build: string | null): void {
  newBuild = build
  for (const listener of listeners) listener()
}

export function reloadPage(): void {
  const here = new URL(location.href)
  // A URL that differs only in its fragment wouldn't reload the page.
  here.hash = ''
  leavePage(here)
}

/**
 * Loads the newer build unless that would interrupt something. It does so once for each build: if that doesn't help,
 * nothing does. Returns whether the page is reloading.
 */
export function reloadIfSafe(): boolean {
  if (newBuild === null || !isReloadSafe()) return false
  const builds = readFromTab<string[]>(RELOADED_FOR) ?? []
  if (builds.includes(newBuild)) return false
  storeInTab(RELOADED_FOR, [...builds, newBuild])
  // Without the note in the tab, it might reload forever.
  if (!readFromTab<string[]>(RELOADED_FOR)?.includes(newBuild)) return false
  reloadPage()
  return true
}

/**
 * For when the member goes to another page. Asks the service again first: if it's unreachable by now, a reload would
 * replace a page that works with the browser's error. Returns whether the page is reloading.
 */
export async function reloadOnNavigation(): Promise<boolean> {
  if (newBuild === null || !isReloadSafe()) return false
  return (await checkForNewVersion()) === 'newer' && reloadIfSafe()
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

/**
 * Signing out covers the whole browser, because its tabs share a cookie: each tab sends what it holds, then all leave.
 */

import { runExitHandlers } from '@/lib/page-exit'
import { BASE_PATH } from './client'

const CHANNEL_NAME = `signoff.signing-out ${BASE_PATH}`

type SignOutMessage = 'leaving' | 'gone'

/** How long to wait for the other tabs; a tab that crashed or was closed isn't waited for. */
const FLUSH_TIMEOUT = 10_000
/** Without Web Locks (plain HTTP on a host other than localhost) a tab can't know the others, so they get this long. */
const FLUSH_GRACE = 500

/** Sends what this tab and all others hold. Await it before signing out. */
export async function flushAllTabs(): Promise<void> {
  await Promise.all([runExitHandlers(), flushOtherTabs()])
}

async function flushOtherTabs(): Promise<void> {
  if (!navigator.locks) {
    broadcast('leaving')
    return wait(FLUSH_GRACE)
  }
  // Granted when the last tab has released the lock; a tab that doesn't respond can't keep anyone signed in.
  const signal = AbortSignal.timeout(FLUSH_TIMEOUT)
  const allSent = navigator.locks.request(CHANNEL_NAME, { signal }, () => undefined).catch(() => undefined)
  // When this resolves, our request is queued: tabs that request the lock again come after us.
  await navigator.locks.query()
  broadcast('leaving')
  await allSent
}

/** The member has signed out here: no tab may keep anything of theirs. */
export function announceSignOut(): void {
  broadcast('gone')
}

/** Signs this tab out when the member signs out in another tab. Returns a function that unsubscribes. */
export function subscribeToSignOut(onSignOut: () => void): () => void {
  if (!hasBroadcastChannel) return () => undefined
  const channel = new BroadcastChannel(CHANNEL_NAME)
  let releaseLock = holdLock()
  channel.onmessage = async ({ data }: MessageEvent<SignOutMessage>) => {
    if (data === 'gone') return onSignOut()
    await runExitHandlers()
    releaseLock()
    releaseLock = holdLock()
  }
  return () => {
    channel.close()
    releaseLock()
  }
}

/** Makes other tabs wait for this one before they sign out, until the returned function is called. */
function holdLock(): () => void {
  let release: () => void = () => undefined
  const released = new Promise<void>(resolve => {
    release = resolve
  })
  void navigator.locks?.request(CHANNEL_NAME, { mode: 'shared' }, () => released)
  return release
}

const hasBroadcastChannel = typeof BroadcastChannel !== 'undefined'

/** Sends to all subscribed tabs, including this one. */
function broadcast(message: SignOutMessage): void {
  if (!hasBroadcastChannel) return
  const channel = new BroadcastChannel(CHANNEL_NAME)
  channel.postMessage(message)
  channel.close()
}

const wait = (milliseconds: number) => new Promise<void>(resolve => setTimeout(resolve, milliseconds))

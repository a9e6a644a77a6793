/** Signing out is for the whole browser, since its pages share a cookie: each sends what it holds back, then all leave. */

import { runExitHandlers } from '@/lib/page-exit'
import { BASE_PATH } from './client'

const CHANNEL_NAME = `signoff.signing-out ${BASE_PATH}`

type SignOutMessage = 'leaving' | 'gone'

/** So long the other pages have at most; one that was crashed or closed is not waited for. */
const FLUSH_TIMEOUT = 10_000
/** Without locks (plain HTTP on another host than this) nobody knows which pages there are: they get a moment. */
const FLUSH_GRACE = 500

/** Sends what this page and all others hold back. To be awaited before signing out. */
export async function flushAllTabs(): Promise<void> {
  await Promise.all([runExitHandlers(), flushOtherTabs()])
}

async function flushOtherTabs(): Promise<void> {
  if (!navigator.locks) {
    broadcast('leaving')
    return wait(FLUSH_GRACE)
  }
  // Granted when the last page has let go; one that does not answer keeps nobody signed in.
  const signal = AbortSignal.timeout(FLUSH_TIMEOUT)
  const allSent = navigator.locks.request(CHANNEL_NAME, { signal }, () => undefined).catch(() => undefined)
  // We stand in line when this is answered: those that take the lock up again come after us.
  await navigator.locks.query()
  broadcast('leaving')
  await allSent
}

/** The person has signed out here: nothing of theirs shall stay on any page. */
export function announceSignOut(): void {
  broadcast('gone')
}

/** Does the same as another page of this browser in which the person signs out, until the returned function is called. */
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

/** Others wait for this page before they sign out, until the returned function is called. */
function holdLock(): () => void {
  let release: () => void = () => undefined
  const released = new Promise<void>(resolve => {
    release = resolve
  })
  void navigator.locks?.request(CHANNEL_NAME, { mode: 'shared' }, () => released)
  return release
}

const hasBroadcastChannel = typeof BroadcastChannel !== 'undefined'

/** To all pages that follow, this one among them. */
function broadcast(message: SignOutMessage): void {
  if (!hasBroadcastChannel) return
  const channel = new BroadcastChannel(CHANNEL_NAME)
  channel.postMessage(message)
  channel.close()
}

const wait = (milliseconds: number) => new Promise<void>(resolve => setTimeout(resolve, milliseconds))

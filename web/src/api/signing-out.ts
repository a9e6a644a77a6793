/** Signing out is for the whole browser, since its pages share a cookie: each sends what it holds back, then all leave. */

import { sendBeforeLeaving } from '@/lib/leaving'
import { ROOT } from './client'

const NAME = `signoff.signing-out ${ROOT}`

type Said = 'leaving' | 'gone'

/** So long the other pages have at most; one that was crashed or closed is not waited for. */
const DONE_WITHIN = 10_000
/** Without locks (plain HTTP on another host than this) nobody knows which pages there are: they get a moment. */
const A_MOMENT = 500

/** Sends what this page and all others hold back. To be awaited before signing out. */
export async function sendEverywhere(): Promise<void> {
  await Promise.all([sendBeforeLeaving(), othersSend()])
}

async function othersSend(): Promise<void> {
  if (!navigator.locks) {
    say('leaving')
    return pause(A_MOMENT)
  }
  // Granted when the last page has let go; one that does not answer keeps nobody signed in.
  const signal = AbortSignal.timeout(DONE_WITHIN)
  const allSent = navigator.locks.request(NAME, { signal }, () => undefined).catch(() => undefined)
  // We stand in line when this is answered: those that take the lock up again come after us.
  await navigator.locks.query()
  say('leaving')
  await allSent
}

/** The person has signed out here: nothing of theirs shall stay on any page. */
export function leaveEverywhere(): void {
  say('gone')
}

/** Does the same as another page of this browser in which the person signs out, until the returned function is called. */
export function followSigningOut(onGone: () => void): () => void {
  if (!canSay) return () => undefined
  const channel = new BroadcastChannel(NAME)
  let letGo = hold()
  channel.onmessage = async ({ data }: MessageEvent<Said>) => {
    if (data === 'gone') return onGone()
    await sendBeforeLeaving()
    letGo()
    letGo = hold()
  }
  return () => {
    channel.close()
    letGo()
  }
}

/** Others wait for this page before they sign out, until the returned function is called. */
function hold(): () => void {
  let letGo: () => void = () => undefined
  const held = new Promise<void>(resolve => {
    letGo = resolve
  })
  void navigator.locks?.request(NAME, { mode: 'shared' }, () => held)
  return letGo
}

const canSay = typeof BroadcastChannel !== 'undefined'

/** To all pages that follow, this one among them. */
function say(said: Said): void {
  if (!canSay) return
  const channel = new BroadcastChannel(NAME)
  channel.postMessage(said)
  channel.close()
}

const pause = (milliseconds: number) => new Promise<void>(resolve => setTimeout(resolve, milliseconds))

/** Signing out is for the whole browser, since its pages share a cookie: each sends what it holds back, then all leave. */

import { sendBeforeLeaving } from '@/lib/leaving'
import { ROOT } from './client'

const CHANNEL = `signoff.signing-out ${ROOT}`

type Said = 'leaving' | 'sending' | 'sent' | 'gone'

/** So long the other pages have to speak up, and so long at most to get done. */
const SPEAK_WITHIN = 200
const DONE_WITHIN = 3_000

/** Sends what this page and all others hold back. To be awaited before signing out. */
export async function sendEverywhere(): Promise<void> {
  const channel = openChannel()
  const others = channel && othersSent(channel)
  await Promise.all([sendBeforeLeaving(), others])
  channel?.close()
}

async function othersSent(channel: BroadcastChannel): Promise<void> {
  let sending = 0
  let done: () => void = () => undefined
  const allSent = new Promise<void>(resolve => {
    done = resolve
  })
  channel.onmessage = ({ data }: MessageEvent<Said>) => {
    if (data === 'sending') sending += 1
    if (data === 'sent') sending -= 1
    if (sending === 0) done()
  }
  channel.postMessage('leaving')
  await pause(SPEAK_WITHIN)
  if (sending > 0) await Promise.race([allSent, pause(DONE_WITHIN)])
}

/** The person has signed out here: nothing of theirs shall stay on any page. */
export function leaveEverywhere(): void {
  const channel = openChannel()
  channel?.postMessage('gone')
  channel?.close()
}

/** Does the same as another page of this browser in which the person signs out, until the returned function is called. */
export function followSigningOut(onGone: () => void): () => void {
  const channel = openChannel()
  if (!channel) return () => undefined
  channel.onmessage = async ({ data }: MessageEvent<Said>) => {
    if (data === 'gone') onGone()
    if (data !== 'leaving') return
    channel.postMessage('sending')
    await sendBeforeLeaving()
    channel.postMessage('sent')
  }
  return () => channel.close()
}

const openChannel = () =>
  typeof BroadcastChannel === 'undefined' ? undefined : new BroadcastChannel(CHANNEL)

const pause = (milliseconds: number) => new Promise<void>(resolve => setTimeout(resolve, milliseconds))

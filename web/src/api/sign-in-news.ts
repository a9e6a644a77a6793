/** Tells the tabs of a browser who has signed in: one sign-in is enough for all tabs of the same person. */

import { ROOT } from './client'
import { pageOwner } from './page-owner'

const NAME = `signoff.signed-in ${ROOT}`
const canSay = typeof BroadcastChannel !== 'undefined'

export function announceSignIn(userId: string): void {
  if (!canSay) return
  const channel = new BroadcastChannel(NAME)
  channel.postMessage(userId)
  channel.close()
}

/** Until the returned function is called. */
export function followSignIns(): () => void {
  if (!canSay) return () => undefined
  const channel = new BroadcastChannel(NAME)
  channel.onmessage = ({ data }: MessageEvent<string>) => pageOwner.signedIn(data)
  return () => channel.close()
}

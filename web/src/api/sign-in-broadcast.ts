/** Tells the other tabs of a browser who has signed in: one sign-in is enough for all tabs of the same member. */

import { BASE_PATH } from './client'
import { signInGuard } from './sign-in-guard'

const CHANNEL_NAME = `signoff.signed-in ${BASE_PATH}`
const hasBroadcastChannel = typeof BroadcastChannel !== 'undefined'

export function announceSignIn(userId: string): void {
  if (!hasBroadcastChannel) return
  const channel = new BroadcastChannel(CHANNEL_NAME)
  channel.postMessage(userId)
  channel.close()
}

/** Subscribes until the returned function is called. */
export function subscribeToSignIns(): () => void {
  if (!hasBroadcastChannel) return () => undefined
  const channel = new BroadcastChannel(CHANNEL_NAME)
  channel.onmessage = ({ data }: MessageEvent<string>) => signInGuard.handleSignIn(data)
  return () => channel.close()
}

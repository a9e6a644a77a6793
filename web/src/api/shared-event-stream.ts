/** One live line for all pages of a browser: over HTTP/1.1 there are six connections to a host, and each line holds one. */

import {
  type ConnectionState,
  type EventStreamOptions,
  openEventStream,
  SLEEP_THRESHOLD,
} from './event-stream'
import { createStreamPeer, type PeerMessage } from './stream-peer'

type SharedEventStreamOptions = Omit<EventStreamOptions, 'after' | 'onMessage'> & {
  /** Pages that give the same name share a line. */
  name: string
  /** Events whose last message a page that opens later has to know. */
  retained: readonly string[]
  onMessage: (event: string, data: unknown) => void
}

/** How often a page that somebody looks at makes sure that there is one that leads. */
const CHECK_INTERVAL = 10_000
/** A page that leads and does not answer for so long stands still: another takes over. */
const LEADER_TIMEOUT = 8_000

/** Until the returned function is called. Without Web Locks (plain HTTP on another host than this) a line of its own. */
export function openSharedEventStream(options: SharedEventStreamOptions): () => void {
  if (!navigator.locks || typeof BroadcastChannel === 'undefined') return openEventStream(options).close
  let leave = joinSharedStream(options)
  const onHide = () => leave()
  const onShow = (event: PageTransitionEvent) => {
    if (!event.persisted) return
    leave = joinSharedStream(withResetOnReturn(options))
  }
  window.addEventListener('pagehide', onHide)
  window.addEventListener('pageshow', onShow)
  return () => {
    window.removeEventListener('pagehide', onHide)
    window.removeEventListener('pageshow', onShow)
    leave()
  }
}

/** The page was put aside and is back as it was: what happened until its new line stands is unknown. */
function withResetOnReturn({ onMessage, ...options }: SharedEventStreamOptions): SharedEventStreamOptions {
  let isGreeted = false
  return {
    ...options,
    onMessage: (event, data) => {
      const isFirst = event === 'hello' && !isGreeted
      isGreeted ||= isFirst
      onMessage(isFirst ? 'reset' : event, data)
    },
  }
}

function joinSharedStream({ name, onState, ...options }: SharedEventStreamOptions): () => void {
  const channel = new BroadcastChannel(name)
  const broadcast = (message: PeerMessage) => channel.postMessage(message)
  let state: ConnectionState = 'connecting'
  let isLeading = false
  let hasLeft = false
  /** Gives the lock back, or the place in the queue for it. */
  let release: () => void = () => undefined

  const peer = createStreamPeer({
    ...options,
    broadcast,
    connect: through => openEventStream({ ...options, ...through }),
    onState: next => {
      state = next
      onState(next)
    },
  })

  const requestLock = (steal: boolean) => {
    release()
    const waiting = new AbortController()
    release = () => waiting.abort()
    const hold = () => {
      if (hasLeft || waiting.signal.aborted) return undefined
      isLeading = true
      peer.lead()
      return new Promise<void>(resolve => {
        release = resolve
      })
    }
    navigator.locks.request(name, steal ? { steal } : { signal: waiting.signal }, hold).catch(() => {
      if (hasLeft || !isLeading) return
      // This page stood still for a while, and another one took over.
      isLeading = false
      peer.follow()
      requestLock(false)
    })
  }

  let takeoverTimer: ReturnType<typeof setTimeout> | undefined
  const checkLeader = () => {
    if (isLeading || document.visibilityState === 'hidden') return
    broadcast({ kind: 'anybody' })
    // Perhaps it is this page that stood still: then the answer is here already, and is heard before the second timer.
    takeoverTimer ??= setTimeout(() => {
      takeoverTimer = setTimeout(takeOver, 1_000)
    }, LEADER_TIMEOUT)
  }
  const takeOver = () => {
    takeoverTimer = undefined
    if (!isLeading && document.visibilityState !== 'hidden') requestLock(true)
  }
  channel.onmessage = ({ data }: MessageEvent<PeerMessage>) => {
    if (data.kind !== 'anybody' && data.kind !== 'again') {
      clearTimeout(takeoverTimer)
      takeoverTimer = undefined
    }
    peer.receive(data)
  }

  let seenAt = Date.now()
  const checkTimer = setInterval(() => {
    const hasSlept = Date.now() - seenAt > SLEEP_THRESHOLD
    seenAt = Date.now()
    const isSeen = document.visibilityState !== 'hidden'
    // The page that leads may be a hidden one, whose own timers hardly run.
    if (!isLeading && isSeen && (hasSlept || state === 'offline')) broadcast({ kind: 'again' })
    checkLeader()
  }, CHECK_INTERVAL)
  document.addEventListener('visibilitychange', checkLeader)

  requestLock(false)
  // Even if nobody looks at it yet: who else has a review open is said only once.
  broadcast({ kind: 'anybody' })
  checkLeader()

  return () => {
    hasLeft = true
    clearTimeout(takeoverTimer)
    clearInterval(checkTimer)
    document.removeEventListener('visibilitychange', checkLeader)
    peer.follow()
    release()
    channel.close()
  }
}

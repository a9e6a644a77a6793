/**
 * One event stream for all tabs of a browser: over HTTP/1.1 a browser opens at most six connections to a host, and each
 * stream holds one.
 */

import {
  type ConnectionState,
  type EventStreamOptions,
  openEventStream,
  SLEEP_THRESHOLD,
} from './event-stream'
import { createStreamPeer, type PeerMessage } from './stream-peer'

type SharedEventStreamOptions = Omit<EventStreamOptions, 'after' | 'onMessage'> & {
  /** Tabs that pass the same name share a connection. */
  name: string
  /** Events whose last message is passed to tabs that open later. */
  retained: readonly string[]
  onMessage: (event: string, data: unknown) => void
}

/** How often a visible tab checks that there is a leader. */
const CHECK_INTERVAL = 10_000
/** A leader that doesn't respond for this long is frozen: another tab takes over. */
const LEADER_TIMEOUT = 8_000

/**
 * Streams until the returned function is called. Without Web Locks (plain HTTP on a host other than localhost), each
 * tab opens its own connection.
 */
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

/** The page was restored from the back/forward cache: what happened until its new connection opened is unknown. */
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
  /** Releases the lock, or leaves the queue for it. */
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
      // This tab was frozen for a while, and another one took over.
      isLeading = false
      peer.follow()
      requestLock(false)
    })
  }

  let takeoverTimer: ReturnType<typeof setTimeout> | undefined
  const checkLeader = () => {
    if (isLeading || document.visibilityState === 'hidden') return
    broadcast({ kind: 'anybody' })
    // If it was this tab that was frozen, the response has arrived already and is handled before the second timer.
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
    // The leader may be a hidden tab, whose own timers are throttled.
    if (!isLeading && isSeen && (hasSlept || state === 'offline')) broadcast({ kind: 'again' })
    checkLeader()
  }, CHECK_INTERVAL)
  document.addEventListener('visibilitychange', checkLeader)

  requestLock(false)
  // Also for a hidden tab: presence is sent only once.
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

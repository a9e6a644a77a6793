/** One live line for all pages of a browser: over HTTP/1.1 there are six connections to a host, and each line holds one. */

import { type LineOptions, type LineState, openLine, SLEPT } from './line'
import { createRelay, type Said } from './relay'

type SharedLineOptions = Omit<LineOptions, 'after' | 'onMessage'> & {
  /** Pages that give the same name share a line. */
  name: string
  /** Events whose last message a page that opens later has to know. */
  kept: readonly string[]
  onMessage: (event: string, data: unknown) => void
}

/** How often a page that somebody looks at makes sure that there is one that leads. */
const ASK_EVERY = 10_000
/** A page that leads and does not answer for so long stands still: another takes over. */
const ANSWERS_WITHIN = 8_000

/** Until the returned function is called. Without Web Locks (plain HTTP on another host than this) a line of its own. */
export function openSharedLine(options: SharedLineOptions): () => void {
  if (!navigator.locks || typeof BroadcastChannel === 'undefined') return openLine(options).close
  let leave = share(options)
  const onHide = () => leave()
  const onShow = (event: PageTransitionEvent) => {
    if (!event.persisted) return
    leave = share(comingBack(options))
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
function comingBack({ onMessage, ...options }: SharedLineOptions): SharedLineOptions {
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

function share({ name, onState, ...options }: SharedLineOptions): () => void {
  const channel = new BroadcastChannel(name)
  const post = (said: Said) => channel.postMessage(said)
  let state: LineState = 'connecting'
  let isLeading = false
  let hasLeft = false
  /** Gives the lock back, or the place in the queue for it. */
  let release: () => void = () => undefined

  const relay = createRelay({
    ...options,
    post,
    connect: through => openLine({ ...options, ...through }),
    onState: next => {
      state = next
      onState(next)
    },
  })

  const queue = (steal: boolean) => {
    release()
    const waiting = new AbortController()
    release = () => waiting.abort()
    const hold = () => {
      if (hasLeft || waiting.signal.aborted) return undefined
      isLeading = true
      relay.lead()
      return new Promise<void>(resolve => {
        release = resolve
      })
    }
    navigator.locks.request(name, steal ? { steal } : { signal: waiting.signal }, hold).catch(() => {
      if (hasLeft || !isLeading) return
      // This page stood still for a while, and another one took over.
      isLeading = false
      relay.follow()
      queue(false)
    })
  }

  let overdue: ReturnType<typeof setTimeout> | undefined
  const ask = () => {
    if (isLeading || document.visibilityState === 'hidden') return
    post({ kind: 'anybody' })
    // Perhaps it is this page that stood still: then the answer is here already, and is heard before the second timer.
    overdue ??= setTimeout(() => {
      overdue = setTimeout(takeOver, 1_000)
    }, ANSWERS_WITHIN)
  }
  const takeOver = () => {
    overdue = undefined
    if (!isLeading && document.visibilityState !== 'hidden') queue(true)
  }
  channel.onmessage = ({ data }: MessageEvent<Said>) => {
    if (data.kind !== 'anybody' && data.kind !== 'again') {
      clearTimeout(overdue)
      overdue = undefined
    }
    relay.hear(data)
  }

  let seenAt = Date.now()
  const watch = setInterval(() => {
    const slept = Date.now() - seenAt > SLEPT
    seenAt = Date.now()
    const isSeen = document.visibilityState !== 'hidden'
    // The page that leads may be a hidden one, whose own timers hardly run.
    if (!isLeading && isSeen && (slept || state === 'offline')) post({ kind: 'again' })
    ask()
  }, ASK_EVERY)
  document.addEventListener('visibilitychange', ask)

  queue(false)
  // Even if nobody looks at it yet: who else has a review open is said only once.
  post({ kind: 'anybody' })
  ask()

  return () => {
    hasLeft = true
    clearTimeout(overdue)
    clearInterval(watch)
    document.removeEventListener('visibilitychange', ask)
    relay.follow()
    release()
    channel.close()
  }
}

/** A stream of Server-Sent Events that reconnects automatically and continues where it stopped. */

export type ConnectionState = 'connecting' | 'live' | 'offline'

export type EventStreamOptions = {
  /** The stream's URL; `after`, the last message ID, is added to its query. */
  address: string
  events: readonly string[]
  /** The ID of the last known message; absent: start now. */
  after?: string
  onMessage: (event: string, data: unknown, id: string) => void
  onState: (state: ConnectionState) => void
  /** The service refused the connection: the sign-in may have ended. */
  onRefused: () => void
}

export type EventStream = {
  close: () => void
  /** Reconnects immediately. */
  reconnect: () => void
}

/** How long a broken connection may take to come back before the page says that it's offline. */
const OFFLINE_AFTER = 5_000
const RECONNECT_DELAYS = [1_000, 2_000, 5_000, 10_000, 30_000] as const
/** Timers were late by this much: the machine slept, and the connection may be dead without notice. */
export const SLEEP_THRESHOLD = 90_000
/** A page that was hidden for this long reconnects, because its connection may have died. */
const RECONNECT_AFTER_HIDDEN = 60_000

export function openEventStream({
  address,
  events,
  after,
  onMessage,
  onState,
  onRefused,
}: EventStreamOptions): EventStream {
  let source: EventSource | undefined
  let lastId = after ?? ''
  let attempts = 0
  let reconnectTimer: ReturnType<typeof setTimeout> | undefined
  let offlineTimer: ReturnType<typeof setTimeout> | undefined

  const connect = () => {
    clearTimeout(reconnectTimer)
    source?.close()
    const url = lastId ? `${address}?after=${encodeURIComponent(lastId)}` : address
    const current = new EventSource(url)
    source = current
    for (const event of events) {
      current.addEventListener(event, message => {
        if (source !== current) return
        if (message.lastEventId) lastId = message.lastEventId
        attempts = 0
        clearTimeout(offlineTimer)
        offlineTimer = undefined
        onState('live')
        onMessage(event, JSON.parse(message.data as string), lastId)
      })
    }
    current.onerror = () => {
      if (source !== current) return
      markDisconnected()
      // The browser reopens a broken connection, but not a refused one.
      if (current.readyState !== EventSource.CLOSED) return
      onRefused()
      reconnectTimer = setTimeout(connect, RECONNECT_DELAYS[Math.min(attempts, RECONNECT_DELAYS.length - 1)])
      attempts += 1
    }
  }

  const markDisconnected = () => {
    if (offlineTimer !== undefined) return
    onState('connecting')
    offlineTimer = setTimeout(() => onState('offline'), OFFLINE_AFTER)
  }

  let seenAt = Date.now()
  const sleepTimer = setInterval(() => {
    if (Date.now() - seenAt > SLEEP_THRESHOLD) connect()
    seenAt = Date.now()
  }, 10_000)

  let hiddenAt = 0
  const onVisibility = () => {
    if (document.visibilityState === 'hidden') hiddenAt = Date.now()
    else if (source?.readyState === EventSource.CLOSED || Date.now() - hiddenAt > RECONNECT_AFTER_HIDDEN)
      connect()
  }
  const onOffline = () => markDisconnected()

  document.addEventListener('visibilitychange', onVisibility)
  window.addEventListener('online', connect)
  window.addEventListener('offline', onOffline)
  markDisconnected()
  connect()

  const close = () => {
    clearTimeout(reconnectTimer)
    clearTimeout(offlineTimer)
    clearInterval(sleepTimer)
    document.removeEventListener('visibilitychange', onVisibility)
    window.removeEventListener('online', connect)
    window.removeEventListener('offline', onOffline)
    source?.close()
    source = undefined
  }
  return { close, reconnect: connect }
}

/** One line to a stream of Server-Sent Events that comes back by itself, from where it was. */

export type LineState = 'connecting' | 'live' | 'offline'

export type LineOptions = {
  /** The stream's address; `after` the last message goes into its query. */
  address: string
  events: readonly string[]
  /** The last message that is known already; absent: from now on. */
  after?: string
  onMessage: (event: string, data: unknown, id: string) => void
  onState: (state: LineState) => void
  /** The service refused: perhaps nobody is signed in any more. */
  onRefused: () => void
}

export type Line = {
  close: () => void
  /** Connects anew, without waiting for the right time. */
  again: () => void
}

/** So long a broken line may take to come back before anybody is bothered with it. */
const PATIENCE = 5_000
const PAUSES = [1_000, 2_000, 5_000, 10_000, 30_000] as const
/** Timers that stood still for so long: the machine slept, and the line may be dead without knowing. */
export const SLEPT = 90_000
/** A page that was hidden for so long gets a new line rather than one that may have died meanwhile. */
const HIDDEN = 60_000

export function openLine({ address, events, after, onMessage, onState, onRefused }: LineOptions): Line {
  let source: EventSource | undefined
  let lastId = after ?? ''
  let attempts = 0
  let again: ReturnType<typeof setTimeout> | undefined
  let worry: ReturnType<typeof setTimeout> | undefined

  const connect = () => {
    clearTimeout(again)
    source?.close()
    const url = lastId ? `${address}?after=${encodeURIComponent(lastId)}` : address
    const opened = new EventSource(url)
    source = opened
    for (const event of events) {
      opened.addEventListener(event, message => {
        if (source !== opened) return
        if (message.lastEventId) lastId = message.lastEventId
        attempts = 0
        clearTimeout(worry)
        worry = undefined
        onState('live')
        onMessage(event, JSON.parse(message.data as string), lastId)
      })
    }
    opened.onerror = () => {
      if (source !== opened) return
      broken()
      // A line that broke comes back by itself; one that was refused does not.
      if (opened.readyState !== EventSource.CLOSED) return
      onRefused()
      again = setTimeout(connect, PAUSES[Math.min(attempts, PAUSES.length - 1)])
      attempts += 1
    }
  }

  const broken = () => {
    if (worry !== undefined) return
    onState('connecting')
    worry = setTimeout(() => onState('offline'), PATIENCE)
  }

  let seenAt = Date.now()
  const watch = setInterval(() => {
    if (Date.now() - seenAt > SLEPT) connect()
    seenAt = Date.now()
  }, 10_000)

  let hiddenAt = 0
  const onVisibility = () => {
    if (document.visibilityState === 'hidden') hiddenAt = Date.now()
    else if (source?.readyState === EventSource.CLOSED || Date.now() - hiddenAt > HIDDEN) connect()
  }
  const onOffline = () => broken()

  document.addEventListener('visibilitychange', onVisibility)
  window.addEventListener('online', connect)
  window.addEventListener('offline', onOffline)
  broken()
  connect()

  const close = () => {
    clearTimeout(again)
    clearTimeout(worry)
    clearInterval(watch)
    document.removeEventListener('visibilitychange', onVisibility)
    window.removeEventListener('online', connect)
    window.removeEventListener('offline', onOffline)
    source?.close()
    source = undefined
  }
  return { close, again: connect }
}

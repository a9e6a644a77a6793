/** The messages between tabs of one browser that share one event stream. */

import type { ConnectionState, EventStream, EventStreamOptions } from './event-stream'

export type PeerMessage =
  /** A message of the stream. `before`: the ID of the previous message, so that a tab notices a gap. */
  | { kind: 'message'; event: string; data: unknown; id: string; before: string }
  | { kind: 'state'; state: ConnectionState }
  | { kind: 'refused' }
  /** Asks the leader to respond: sent by a tab that has just opened or has heard nothing for a while. */
  | { kind: 'anybody' }
  | { kind: 'here'; state: ConnectionState; lastId: string; kept: Record<string, unknown> }
  /** Asks the leader to reconnect: the machine slept, or someone is waiting in front of a page without updates. */
  | { kind: 'again' }

export type StreamPeerOptions = Pick<EventStreamOptions, 'onState' | 'onRefused'> & {
  /** Sends to all other tabs. */
  broadcast: (said: PeerMessage) => void
  connect: (options: Pick<EventStreamOptions, 'after' | 'onMessage' | 'onState' | 'onRefused'>) => EventStream
  onMessage: (event: string, data: unknown) => void
  /** Events whose last message is passed to tabs that open later. */
  retained: readonly string[]
}

export type StreamPeer = {
  /** From now on this tab holds the connection and continues where the previous leader stopped. */
  lead: () => void
  follow: () => void
  receive: (said: PeerMessage) => void
}

/** The role of one tab: it either holds the connection and passes everything on, or listens to the tab that does. */
export function createStreamPeer({
  broadcast,
  connect,
  onMessage,
  onState,
  onRefused,
  retained,
}: StreamPeerOptions): StreamPeer {
  let stream: EventStream | undefined
  let lastId = ''
  let state: ConnectionState = 'connecting'
  const retainedData: Record<string, unknown> = {}

  const deliver = (event: string, data: unknown, id: string) => {
    lastId = id
    if (retained.includes(event)) retainedData[event] = data
    onMessage(event, data)
  }
  const setState = (next: ConnectionState) => {
    state = next
    onState(next)
  }
  /** This tab missed a message and has to refetch everything. */
  const resetAfterGap = (expected: string) => {
    if (lastId !== '' && lastId !== expected) onMessage('reset', {})
  }

  const lead = () => {
    stream?.close()
    stream = connect({
      after: lastId,
      onMessage: (event, data, id) => {
        // Passed on before it's handled here, so that an error in this tab doesn't affect the others.
        broadcast({ kind: 'message', event, data, id, before: lastId })
        deliver(event, data, id)
      },
      onState: next => {
        if (next !== state) broadcast({ kind: 'state', state: next })
        setState(next)
      },
      onRefused: () => {
        broadcast({ kind: 'refused' })
        onRefused()
      },
    })
  }

  const receive = (message: PeerMessage) => {
    if (stream) {
      if (message.kind === 'anybody') broadcast({ kind: 'here', state, lastId, kept: retainedData })
      if (message.kind === 'again') stream.reconnect()
      // Other messages were sent before their tab knew that this one leads.
      return
    }
    switch (message.kind) {
      case 'message':
        resetAfterGap(message.before)
        setState('live')
        deliver(message.event, message.data, message.id)
        break
      case 'here':
        setState(message.state)
        // The leader hasn't received anything yet: its first message will come here too.
        if (message.lastId === '') break
        resetAfterGap(message.lastId)
        deliver('hello', {}, message.lastId)
        for (const [event, data] of Object.entries(message.kept)) deliver(event, data, message.lastId)
        break
      case 'state':
        setState(message.state)
        break
      case 'refused':
        onRefused()
    }
  }

  const follow = () => {
    stream?.close()
    stream = undefined
  }

  return { lead, follow, receive }
}

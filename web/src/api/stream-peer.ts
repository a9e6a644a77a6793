/** What pages of one browser say to each other about the live line that one of them holds. */

import type { ConnectionState, EventStream, EventStreamOptions } from './event-stream'

export type PeerMessage =
  /** A message of the line. `before`: the ID of the one before it, so that nobody misses one without noticing. */
  | { kind: 'message'; event: string; data: unknown; id: string; before: string }
  | { kind: 'state'; state: ConnectionState }
  | { kind: 'refused' }
  /** Asks whoever leads to say so: by a page that has just opened, or that has heard nothing for a while. */
  | { kind: 'anybody' }
  | { kind: 'here'; state: ConnectionState; lastId: string; kept: Record<string, unknown> }
  /** Asks whoever leads to connect anew: the machine slept, or somebody is waiting before a dead page. */
  | { kind: 'again' }

export type StreamPeerOptions = Pick<EventStreamOptions, 'onState' | 'onRefused'> & {
  /** To all other pages. */
  broadcast: (said: PeerMessage) => void
  connect: (options: Pick<EventStreamOptions, 'after' | 'onMessage' | 'onState' | 'onRefused'>) => EventStream
  onMessage: (event: string, data: unknown) => void
  /** Events whose last message a page that opens later has to know. */
  retained: readonly string[]
}

export type StreamPeer = {
  /** From now on this page holds the line, from where the one before it was. */
  lead: () => void
  follow: () => void
  receive: (said: PeerMessage) => void
}

/** One page's part: it either holds the line and passes everything on, or hears from the one that does. */
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
  /** Something was said that this page did not hear: it has to read everything anew. */
  const resetAfterGap = (expected: string) => {
    if (lastId !== '' && lastId !== expected) onMessage('reset', {})
  }

  const lead = () => {
    stream?.close()
    stream = connect({
      after: lastId,
      onMessage: (event, data, id) => {
        // Passed on first: whatever this page makes of it, the others have it.
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
      // Whatever else another page says, it said before it knew that this one leads.
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
        // Whoever leads has heard nothing itself yet: its first message will come here too.
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

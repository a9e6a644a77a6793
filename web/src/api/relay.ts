/** What pages of one browser say to each other about the live line that one of them holds. */

import type { Line, LineOptions, LineState } from './line'

export type Said =
  /** A message of the line. `before`: the ID of the one before it, so that nobody misses one without noticing. */
  | { kind: 'message'; event: string; data: unknown; id: string; before: string }
  | { kind: 'state'; state: LineState }
  | { kind: 'refused' }
  /** Asks whoever leads to say so: by a page that has just opened, or that has heard nothing for a while. */
  | { kind: 'anybody' }
  | { kind: 'here'; state: LineState; lastId: string; kept: Record<string, unknown> }
  /** Asks whoever leads to connect anew: the machine slept, or somebody is waiting before a dead page. */
  | { kind: 'again' }

export type RelayOptions = Pick<LineOptions, 'onState' | 'onRefused'> & {
  /** To all other pages. */
  post: (said: Said) => void
  connect: (options: Pick<LineOptions, 'after' | 'onMessage' | 'onState' | 'onRefused'>) => Line
  onMessage: (event: string, data: unknown) => void
  /** Events whose last message a page that opens later has to know. */
  kept: readonly string[]
}

export type Relay = {
  /** From now on this page holds the line, from where the one before it was. */
  lead: () => void
  follow: () => void
  hear: (said: Said) => void
}

/** One page's part: it either holds the line and passes everything on, or hears from the one that does. */
export function createRelay({ post, connect, onMessage, onState, onRefused, kept }: RelayOptions): Relay {
  let line: Line | undefined
  let lastId = ''
  let state: LineState = 'connecting'
  const known: Record<string, unknown> = {}

  const take = (event: string, data: unknown, id: string) => {
    lastId = id
    if (kept.includes(event)) known[event] = data
    onMessage(event, data)
  }
  const enter = (next: LineState) => {
    state = next
    onState(next)
  }
  /** Something was said that this page did not hear: it has to read everything anew. */
  const noticeGap = (expected: string) => {
    if (lastId !== '' && lastId !== expected) onMessage('reset', {})
  }

  const lead = () => {
    line?.close()
    line = connect({
      after: lastId,
      onMessage: (event, data, id) => {
        // Passed on first: whatever this page makes of it, the others have it.
        post({ kind: 'message', event, data, id, before: lastId })
        take(event, data, id)
      },
      onState: next => {
        if (next !== state) post({ kind: 'state', state: next })
        enter(next)
      },
      onRefused: () => {
        post({ kind: 'refused' })
        onRefused()
      },
    })
  }

  const hear = (said: Said) => {
    if (line) {
      if (said.kind === 'anybody') post({ kind: 'here', state, lastId, kept: known })
      if (said.kind === 'again') line.again()
      // Whatever else another page says, it said before it knew that this one leads.
      return
    }
    switch (said.kind) {
      case 'message':
        noticeGap(said.before)
        enter('live')
        take(said.event, said.data, said.id)
        break
      case 'here':
        enter(said.state)
        // Whoever leads has heard nothing itself yet: its first message will come here too.
        if (said.lastId === '') break
        noticeGap(said.lastId)
        take('hello', {}, said.lastId)
        for (const [event, data] of Object.entries(said.kept)) take(event, data, said.lastId)
        break
      case 'state':
        enter(said.state)
        break
      case 'refused':
        onRefused()
    }
  }

  const follow = () => {
    line?.close()
    line = undefined
  }

  return { lead, follow, hear }
}

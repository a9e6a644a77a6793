import { beforeEach, describe, expect, it, vi } from 'vitest'
import type { EventStream, EventStreamOptions } from './event-stream'
import { createStreamPeer, type PeerMessage, type StreamPeer } from './stream-peer'

type Through = Pick<EventStreamOptions, 'after' | 'onMessage' | 'onState' | 'onRefused'>

/** The tabs of one browser: each gets the messages of the others. */
class Pages {
  readonly all: Pick<StreamPeer, 'receive' | 'follow'>[] = []

  open() {
    const messages: [string, unknown][] = []
    const lines: (Through & { line: EventStream })[] = []
    const onState = vi.fn()
    const onRefused = vi.fn()
    let isDeaf = false
    const page = {
      messages,
      lines,
      onState,
      onRefused,
      events: () => messages.map(([event]) => event),
      line: () => lines.at(-1) as (typeof lines)[number],
      say: (event: string, data: unknown, id: string) => page.line().onMessage(event, data, id),
      stopReceiving: (deaf: boolean) => {
        isDeaf = deaf
      },
      receive: (message: PeerMessage) => {
        if (!isDeaf) peer.receive(structuredClone(message))
      },
      ask: () => post({ kind: 'anybody' }),
      again: () => post({ kind: 'again' }),
      lead: () => peer.lead(),
      follow: () => peer.follow(),
    }
    const post = (message: PeerMessage) => {
      for (const other of this.all) if (other !== page) other.receive(message)
    }
    const peer = createStreamPeer({
      broadcast: post,
      retained: ['presence'],
      connect: through => {
        const line = { close: vi.fn(), reconnect: vi.fn() }
        lines.push({ ...through, line })
        return line
      },
      onMessage: (event, data) => messages.push([event, data]),
      onState,
      onRefused,
    })
    this.all.push(page)
    return page
  }

  close(page: Pick<StreamPeer, 'receive' | 'follow'>) {
    page.follow()
    this.all.splice(this.all.indexOf(page), 1)
  }
}

let pages: Pages
let first: ReturnType<Pages['open']>
let second: ReturnType<Pages['open']>

beforeEach(() => {
  pages = new Pages()
  first = pages.open()
  second = pages.open()
  first.lead()
  first.say('hello', {}, '10')
  first.say('presence', { reviews: {} }, '10')
})

describe('a page that follows', () => {
  it('has no line and hears everything', () => {
    first.say('review', { reviewId: 'r1' }, '11')
    expect(second.lines).toHaveLength(0)
    expect(second.messages).toEqual(first.messages)
    expect(second.onState).toHaveBeenLastCalledWith('live')
  })

  it('and opens later is greeted, and told who is where', () => {
    const late = pages.open()
    late.ask()
    expect(late.messages).toEqual([
      ['hello', {}],
      ['presence', { reviews: {} }],
    ])
  })

  it('and opens before the line stands hears its first messages', () => {
    const other = new Pages()
    const leading = other.open()
    leading.lead()
    const early = other.open()
    early.ask()
    expect(early.messages).toEqual([])
    leading.say('hello', {}, '5')
    expect(early.events()).toEqual(['hello'])
  })

  it('hears of the line’s state and of a refusal', () => {
    first.line().onState('offline')
    expect(second.onState).toHaveBeenLastCalledWith('offline')
    first.line().onRefused()
    expect(second.onRefused).toHaveBeenCalledOnce()
  })

  it('that missed something reads everything anew, once', () => {
    second.stopReceiving(true)
    first.say('review', { reviewId: 'r1' }, '11')
    second.stopReceiving(false)
    first.say('review', { reviewId: 'r2' }, '12')
    first.say('review', { reviewId: 'r3' }, '13')
    expect(second.events()).toEqual(['hello', 'presence', 'reset', 'review', 'review'])
  })

  it('that missed something notices when it asks, too', () => {
    second.stopReceiving(true)
    first.say('review', { reviewId: 'r1' }, '11')
    second.stopReceiving(false)
    second.ask()
    expect(second.events()).toContain('reset')
  })

  it('that missed nothing is not troubled by asking', () => {
    first.say('review', { reviewId: 'r1' }, '11')
    second.ask()
    expect(second.events()).not.toContain('reset')
  })

  it('can have the line opened anew', () => {
    second.again()
    expect(first.line().line.reconnect).toHaveBeenCalledOnce()
  })
})

describe('a page that takes over', () => {
  it('goes on behind the last message', () => {
    first.say('review', { reviewId: 'r1' }, '11')
    const third = pages.open()
    third.ask()
    pages.close(first)
    expect(first.line().line.close).toHaveBeenCalledOnce()
    second.lead()
    expect(second.line().after).toBe('11')
    second.say('hello', {}, '11')
    second.say('review', { reviewId: 'r2' }, '12')
    expect(third.messages.at(-1)).toEqual(['review', { reviewId: 'r2' }])
    expect(third.events()).not.toContain('reset')
  })

  it('without having heard anything lets the others notice', () => {
    const third = pages.open()
    pages.close(first)
    third.lead()
    expect(third.line().after).toBe('')
    third.say('hello', {}, '20')
    expect(second.events()).toEqual(['hello', 'presence', 'reset', 'hello'])
  })

  it('does not listen to the one before it any more', () => {
    second.lead()
    second.say('hello', {}, '10')
    const before = second.events().length
    first.say('review', { reviewId: 'r1' }, '11')
    expect(second.events()).toHaveLength(before)
  })
})

import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { type OutgoingMessage, OutgoingMessages, withoutShown } from './outgoing-messages'
import type { Message } from './session-timeline'

vi.mock('./client', () => ({
  ApiError: class extends Error {
    constructor(
      readonly status: number,
      readonly problem: { detail?: string },
    ) {
      super(problem.detail ?? '')
    }
  },
}))
const { ApiError } = await import('./client')

const written = (key: string, more: Partial<OutgoingMessage> = {}) => ({
  key,
  sessionId: 'ses_1',
  text: `Text ${key}`,
  attachments: [],
  at: 0,
  after: 0,
  by: 'usr_1',
  ...more,
})

const answer = (outgoing: OutgoingMessage): Message =>
  ({ messageId: `msg_${outgoing.key}`, text: outgoing.text, sessionId: outgoing.sessionId }) as Message

function shelf() {
  const kept = new Map<string, string>()
  return {
    getItem: (name: string) => kept.get(name) ?? null,
    setItem: (name: string, value: string) => void kept.set(name, value),
    removeItem: (name: string) => void kept.delete(name),
  }
}

const states = (messages: OutgoingMessages) => messages.all.map(each => `${each.key} ${each.state}`)
const settled = () => vi.advanceTimersByTimeAsync(0)

describe('messages on their way', () => {
  beforeEach(() => void vi.useFakeTimers())
  afterEach(() => void vi.useRealTimers())

  it('go one after the other, in the order in which they were written', async () => {
    const sent: string[] = []
    const gates: (() => void)[] = []
    const messages = new OutgoingMessages(async outgoing => {
      sent.push(outgoing.key)
      await new Promise<void>(resolve => gates.push(resolve))
      return answer(outgoing)
    })
    messages.add(written('a'))
    messages.add(written('b'))
    await settled()
    expect(sent).toEqual(['a'])
    gates[0]?.()
    await settled()
    expect(sent).toEqual(['a', 'b'])
  })

  it('wait while the service cannot be reached, those behind them too, and are sent in order then', async () => {
    let isReachable = false
    const sent: string[] = []
    const messages = new OutgoingMessages(async outgoing => {
      if (!isReachable) throw new ApiError(0, {})
      sent.push(outgoing.key)
      return answer(outgoing)
    })
    messages.add(written('a'))
    messages.add(written('b'))
    await settled()
    expect(states(messages)).toEqual(['a waiting', 'b waiting'])
    isReachable = true
    await messages.retry('ses_1')
    expect(sent).toEqual(['a', 'b'])
    await vi.advanceTimersByTimeAsync(60_000)
    expect(messages.all).toEqual([])
    expect(sent).toEqual(['a', 'b'])
  })

  it('are tried again by themselves', async () => {
    let times = 0
    const messages = new OutgoingMessages(async outgoing => {
      times += 1
      if (times < 3) throw new ApiError(503, {})
      return answer(outgoing)
    })
    messages.add(written('a'))
    await vi.advanceTimersByTimeAsync(60_000)
    expect(times).toBe(3)
  })

  it('stay when they were refused, and hold nobody up', async () => {
    const messages = new OutgoingMessages(async outgoing => {
      if (outgoing.key === 'a') throw new ApiError(409, { detail: 'The chat is off.' })
      return answer(outgoing)
    })
    messages.add(written('a'))
    messages.add(written('b'))
    await settled()
    expect(states(messages)).toEqual(['a refused', 'b sent'])
    expect(messages.all[0]?.error).toBe('The chat is off.')
    expect(messages.discard('a')?.text).toBe('Text a')
    expect(states(messages)).toEqual(['b sent'])
  })

  it('are waited for by whoever is about to leave', async () => {
    let arrive: () => void = () => undefined
    const messages = new OutgoingMessages(async outgoing => {
      await new Promise<void>(resolve => {
        arrive = resolve
      })
      return answer(outgoing)
    })
    messages.add(written('a'))
    let hasLeft = false
    const leaving = messages.retry().then(() => {
      hasLeft = true
    })
    await settled()
    expect(hasLeft).toBe(false)
    arrive()
    await leaving
    expect(states(messages)).toEqual(['a sent'])
  })

  it('are not taken back when they may have arrived', async () => {
    const messages = new OutgoingMessages(() => Promise.reject(new ApiError(0, {})))
    messages.add(written('a'))
    messages.add(written('b'))
    await settled()
    expect(messages.discard('a')).toBeUndefined()
    expect(messages.discard('b')?.text).toBe('Text b')
    expect(states(messages)).toEqual(['a waiting'])
  })

  it('outlive the page, for the person who wrote them', async () => {
    const place = shelf()
    const before = new OutgoingMessages(() => Promise.reject(new ApiError(0, {})), place)
    before.add(written('a'))
    before.add(written('b', { by: 'usr_2' }))
    await settled()
    const sent: string[] = []
    const after = new OutgoingMessages(async outgoing => {
      sent.push(outgoing.key)
      return answer(outgoing)
    }, place)
    after.resume('usr_1')
    await settled()
    expect(sent).toEqual(['a'])
  })
})

describe('what the timeline shows already', () => {
  const shown = (number: number, text: string, user = 'usr_1') =>
    ({ messageId: `msg_${number}`, number, text, user: { id: user } }) as Message
  const sending = (key: string, more: Partial<OutgoingMessage> = {}) =>
    ({ ...written(key), state: 'sending', attempts: 1, ...more }) as OutgoingMessage

  it('is not shown twice when the live line was faster', () => {
    const two = [sending('a', { text: 'ok', after: 4 }), sending('b', { text: 'ok', after: 4 })]
    expect(withoutShown(two, [shown(5, 'ok')]).map(each => each.key)).toEqual(['b'])
    expect(withoutShown(two, [shown(6, 'ok'), shown(5, 'ok')])).toEqual([])
  })

  it('is not shown twice when only the answer was lost', () => {
    const lost = [sending('a', { text: 'ok', after: 4, state: 'waiting' })]
    expect(withoutShown(lost, [shown(5, 'ok')])).toEqual([])
    const refused = [sending('a', { text: 'ok', after: 4, state: 'refused' })]
    expect(withoutShown(refused, [shown(5, 'ok')])).toEqual(refused)
  })

  it('is told from what was said before, and by others', () => {
    const one = [sending('a', { text: 'ok', after: 5 })]
    expect(withoutShown(one, [shown(6, 'ok', 'usr_2'), shown(5, 'ok')])).toEqual(one)
    const sent = [sending('a', { state: 'sent', messageId: 'msg_9' })]
    expect(withoutShown(sent, [shown(8, 'Text a')])).toEqual(sent)
    expect(withoutShown(sent, [shown(9, 'Text a')])).toEqual([])
  })
})

// @vitest-environment jsdom
import { afterEach, beforeEach, describe, expect, it, type Mock, vi } from 'vitest'
import { ApiError } from './client'
import { isUnsent, type Mutation, MutationQueue, type QueueOptions, type SendRequest } from './mutation-queue'

type Note = { topic: string; text: string }
type Send = Mock<(note: Mutation<Note>, request: SendRequest) => Promise<string>>

const note = (text = 'A', topic = 'one'): Note => ({ topic, text })
const failure = (status: number, more: Record<string, unknown> = {}) =>
  new ApiError(status, { code: 'x', ...more })
const succeed = (): Send => vi.fn(async ({ text }) => text)

/** Sends that end when the test says so. */
function createGate() {
  const calls: { note: Mutation<Note>; request: SendRequest; end: (error?: Error) => void }[] = []
  const send: Send = vi.fn(
    (sent, request) =>
      new Promise((resolve, reject) =>
        calls.push({ note: sent, request, end: error => (error ? reject(error) : resolve(sent.text)) }),
      ),
  )
  return { calls, send }
}

let owner: string | null = 'usr_me'
const createQueue = (send: Send, more: Partial<QueueOptions<Note, string>> = {}) =>
  new MutationQueue<Note, string>({
    getStorageKey: () => owner && `signoff.notes.${owner}`,
    send,
    getScope: ({ topic }) => topic,
    retryDelays: [2_000, 4_000],
    ...more,
  })

const getStates = (queue: MutationQueue<Note, string>) => queue.all.map(each => `${each.text} ${each.state}`)
const getSent = (send: Send) => send.mock.calls.map(([{ text }]) => text)
const wait = (milliseconds = 0) => vi.advanceTimersByTimeAsync(milliseconds)

beforeEach(() => {
  vi.useFakeTimers()
  owner = 'usr_me'
})
afterEach(() => {
  vi.useRealTimers()
  sessionStorage.clear()
})

describe('holding', () => {
  const hold = 5_000

  it('sends when the hold is over, and not before', async () => {
    const send = succeed()
    const queue = createQueue(send, { hold })
    queue.add(note())
    await wait(hold - 1)
    expect(send).not.toHaveBeenCalled()
    expect(getStates(queue)).toEqual(['A held'])
    await wait(1)
    expect(send).toHaveBeenCalledOnce()
    expect(queue.all).toEqual([])
  })

  it('never sends what was canceled', async () => {
    const send = succeed()
    const queue = createQueue(send, { hold })
    queue.add(note())
    const id = queue.find('one')?.id ?? ''
    expect(queue.cancel(id)).toMatchObject(note())
    expect(queue.cancel(id)).toBeUndefined()
    await wait(60_000)
    expect(send).not.toHaveBeenCalled()
  })

  it('holds each scope separately', async () => {
    const send = succeed()
    const queue = createQueue(send, { hold })
    queue.add(note('A', 'one'))
    await wait(2_000)
    queue.add(note('B', 'two'))
    await wait(3_000)
    expect(getSent(send)).toEqual(['A'])
    expect(queue.cancel(queue.find('two')?.id ?? '')).toBeDefined()
    await wait(60_000)
    expect(getSent(send)).toEqual(['A'])
  })

  it('sends now when asked to, once', async () => {
    const send = succeed()
    const queue = createQueue(send, { hold })
    queue.add(note('A', 'one'))
    queue.add(note('B', 'two'))
    await queue.sendNow()
    await wait(60_000)
    expect(getSent(send)).toEqual(['A', 'B'])
  })
})

describe('a scope', () => {
  it('is sent one at a time, in order', async () => {
    const { calls, send } = createGate()
    const queue = createQueue(send)
    queue.add(note('A'))
    queue.add(note('B'))
    queue.add(note('other', 'two'))
    expect(getSent(send)).toEqual(['A', 'other'])
    calls[0]?.end()
    await wait()
    expect(getSent(send)).toEqual(['A', 'other', 'B'])
  })

  it('waits behind a mutation that could not be sent, and keeps its order', async () => {
    const send = succeed().mockRejectedValueOnce(failure(0))
    const queue = createQueue(send)
    queue.add(note('A'))
    queue.add(note('B'))
    await wait()
    expect(getStates(queue)).toEqual(['A waiting', 'B waiting'])
    // The response to the first may have been lost. The second was never sent.
    expect(queue.all.map(isUnsent)).toEqual([false, true])
    expect(queue.cancel(queue.all[0]?.id ?? '')).toBeUndefined()
    await queue.sendNow('one')
    expect(getSent(send)).toEqual(['A', 'A', 'B'])
    expect(queue.all).toEqual([])
  })

  it('is tried again when something is added, unless the service asked for a pause', async () => {
    const send = succeed().mockRejectedValueOnce(failure(503))
    const queue = createQueue(send)
    queue.add(note('A'))
    await wait()
    queue.add(note('B'))
    await wait()
    expect(getSent(send)).toEqual(['A', 'A', 'B'])
    send.mockRejectedValueOnce(failure(429, { retryAfter: 60 }))
    queue.add(note('C'))
    await wait()
    queue.add(note('D'))
    await wait(59_000)
    expect(getStates(queue)).toEqual(['C waiting', 'D waiting'])
    await wait(1_000)
    expect(getSent(send).slice(3)).toEqual(['C', 'C', 'D'])
  })

  it('goes on behind a refused mutation', async () => {
    const send = succeed().mockRejectedValueOnce(failure(409, { detail: 'The chat is off.' }))
    const queue = createQueue(send)
    queue.add(note('A'))
    queue.add(note('B'))
    await wait()
    expect(getStates(queue)).toEqual(['A refused'])
    expect(queue.all[0]?.error?.message).toBe('The chat is off.')
  })

  it('is waited for before the member signs out', async () => {
    const { calls, send } = createGate()
    const queue = createQueue(send)
    queue.add(note())
    let isDone = false
    const done = queue.sendNow().then(() => {
      isDone = true
    })
    await wait()
    expect(isDone).toBe(false)
    calls[0]?.end()
    await done
    expect(queue.all).toEqual([])
  })

  it('can be dropped and used again at once', async () => {
    const { calls, send } = createGate()
    const queue = createQueue(send)
    queue.add(note('A'))
    queue.drop('one')
    expect(calls[0]?.request.signal.aborted).toBe(true)
    queue.add(note('B'))
    calls[0]?.end()
    calls[1]?.end()
    await wait()
    expect(getSent(send)).toEqual(['A', 'B'])
    expect(queue.all).toEqual([])
  })
})

describe('replacing', () => {
  const options = { hold: 400, replaces: true }

  it('sends only the newest', async () => {
    const send = succeed()
    const queue = createQueue(send, options)
    queue.add(note('A'))
    await wait(300)
    queue.add(note('B'))
    await wait(399)
    expect(send).not.toHaveBeenCalled()
    await wait(1)
    expect(getSent(send)).toEqual(['B'])
  })

  it('sends the newest after the one that is being sent', async () => {
    const { calls, send } = createGate()
    const queue = createQueue(send, options)
    queue.add(note('A'))
    await wait(400)
    queue.add(note('B'))
    queue.add(note('C'))
    await wait(400)
    expect(getStates(queue)).toEqual(['A sending', 'C held'])
    calls[0]?.end()
    await wait()
    expect(getSent(send)).toEqual(['A', 'C'])
  })

  it.each([
    [503, 2_000],
    [422, 400],
  ])('sends the newest in place of one that failed with a %d', async (status, pause) => {
    const { calls, send } = createGate()
    const queue = createQueue(send, options)
    queue.add(note('A'))
    await wait(400)
    queue.add(note('B'))
    calls[0]?.end(failure(status))
    await wait(pause - 1)
    expect(getSent(send)).toEqual(['A'])
    expect(queue.all.map(each => each.text)).toEqual(['B'])
    await wait(1)
    expect(getSent(send)).toEqual(['A', 'B'])
  })

  it('keeps the pause that the service asked for', async () => {
    const send = succeed().mockRejectedValueOnce(failure(429, { retryAfter: 60 }))
    const queue = createQueue(send, options)
    queue.add(note('A'))
    await wait(400)
    queue.add(note('B'))
    await wait(59_999)
    expect(getSent(send)).toEqual(['A'])
    await wait(1)
    expect(getSent(send)).toEqual(['A', 'B'])
  })
})

describe('failing', () => {
  it('is retried until there is a response, after longer and longer pauses, with the same key', async () => {
    const send = succeed()
      .mockRejectedValueOnce(failure(0))
      .mockRejectedValueOnce(new TypeError('Failed to fetch'))
      .mockRejectedValueOnce(failure(503))
    const queue = createQueue(send)
    queue.add(note())
    const times = [0, 2_000, 4_000, 4_000]
    for (const [index, pause] of times.entries()) {
      await wait(pause)
      expect(send).toHaveBeenCalledTimes(index + 1)
    }
    expect(new Set(send.mock.calls.map(([{ id }]) => id)).size).toBe(1)
    expect(queue.all).toEqual([])
  })

  it.each([400, 401, 403, 404, 409, 422])(
    'with a %d is final, until the member tries again',
    async status => {
      const send = succeed().mockRejectedValueOnce(failure(status))
      const queue = createQueue(send)
      queue.add(note('Mine'))
      await wait(60_000)
      expect(send).toHaveBeenCalledOnce()
      expect(queue.all).toMatchObject([{ text: 'Mine', state: 'refused', error: { status } }])
      await queue.sendNow()
      expect(send).toHaveBeenCalledOnce()
      await queue.retry(queue.all[0]?.id ?? '')
      expect(queue.all).toEqual([])
    },
  )
})

describe('closing the page', () => {
  const close = (queue: MutationQueue<Note, string>) => void queue.sendNow(undefined, true)

  it('sends what is held, in a request that outlives the page', () => {
    const { calls, send } = createGate()
    const queue = createQueue(send, { hold: 5_000 })
    queue.add(note('A', 'one'))
    queue.add(note('B', 'two'))
    close(queue)
    expect(calls.map(each => [each.note.text, each.request.keepalive])).toEqual([
      ['A', true],
      ['B', true],
    ])
  })

  it('repeats a request in progress, and leaves the rest of its scope for the next page', async () => {
    const { calls, send } = createGate()
    const queue = createQueue(send)
    queue.add(note('A'))
    queue.add(note('B'))
    expect(queue.hasUnsendable()).toBe(true)
    close(queue)
    expect(calls.map(each => [each.note.text, each.request.keepalive, each.request.signal.aborted])).toEqual([
      ['A', false, true],
      ['A', true, false],
    ])
    expect(new Set(calls.map(each => each.note.id)).size).toBe(1)
    // The page is shown again after all.
    calls[1]?.end()
    await wait()
    calls[2]?.end()
    await wait()
    expect(queue.all).toEqual([])
  })

  it('sends only the newest of a scope in which it replaces the others', async () => {
    const { calls, send } = createGate()
    const queue = createQueue(send, { hold: 400, replaces: true })
    queue.add(note('A'))
    await wait(400)
    queue.add(note('B'))
    expect(queue.hasUnsendable()).toBe(false)
    close(queue)
    expect(calls.map(each => [each.note.text, each.request.keepalive, each.request.signal.aborted])).toEqual([
      ['A', false, true],
      ['B', true, false],
    ])
  })

  it('keeps a mutation if the sign-in has ended', async () => {
    const send = succeed().mockRejectedValueOnce(failure(401))
    const queue = createQueue(send, { hold: 5_000 })
    queue.add(note())
    await queue.sendNow(undefined, true)
    expect(getStates(queue)).toEqual(['A waiting'])
  })

  it('asks first if something could not be sent or is too large', async () => {
    const queue = createQueue(succeed().mockRejectedValue(failure(0)), { hold: 1_000 })
    queue.add(note())
    expect(queue.hasUnsendable()).toBe(false)
    await wait(1_000)
    expect(queue.hasUnsendable()).toBe(true)
    const large = createQueue(succeed(), { hold: 1_000 })
    large.add(note('ö'.repeat(30_000), 'large'))
    expect(large.hasUnsendable()).toBe(true)
  })
})

describe('the next page', () => {
  it('continues, in order, for the member to whom it belongs', async () => {
    const before = createQueue(succeed().mockRejectedValue(failure(0)))
    before.add(note('A'))
    before.add(note('B'))
    owner = 'usr_other'
    createQueue(succeed().mockRejectedValue(failure(0))).add(note('Theirs'))
    await wait()
    owner = 'usr_me'
    const send = succeed()
    createQueue(send).resume()
    await wait()
    expect(getSent(send)).toEqual(['A', 'B'])
    owner = 'usr_other'
    createQueue(send).resume()
    await wait()
    expect(getSent(send)).toEqual(['A', 'B', 'Theirs'])
    expect(sessionStorage).toHaveLength(0)
  })

  it('shows what was refused, and does not send it', async () => {
    const before = createQueue(succeed().mockRejectedValue(failure(422, { detail: 'No.' })))
    before.add(note())
    await wait()
    const send = succeed()
    const queue = createQueue(send)
    queue.resume()
    await wait(60_000)
    expect(send).not.toHaveBeenCalled()
    expect(queue.all).toMatchObject([{ state: 'refused', error: { status: 422, message: 'No.' } }])
    expect(queue.all[0]?.error).toBeInstanceOf(ApiError)
    queue.cancel(queue.all[0]?.id ?? '')
    expect(sessionStorage).toHaveLength(0)
  })

  it('does not know whether an interrupted request arrived', () => {
    createQueue(createGate().send).add(note())
    const queue = createQueue(succeed())
    queue.load()
    expect(getStates(queue)).toEqual(['A waiting'])
    expect(queue.all.map(isUnsent)).toEqual([false])
  })

  it.each(['', 'null', '{', '[1, null]', '{"id": "x"}'])('ignores %j', text => {
    sessionStorage.setItem('signoff.notes.usr_me.x', text)
    const queue = createQueue(succeed())
    queue.resume()
    expect(queue.all).toEqual([])
  })

  it('stores nothing while nobody is signed in', () => {
    owner = null
    createQueue(succeed()).add(note())
    expect(sessionStorage).toHaveLength(0)
  })
})

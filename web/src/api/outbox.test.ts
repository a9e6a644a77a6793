// @vitest-environment jsdom
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { ApiError } from './client'
import { type Decision, Outbox, UNDO_WINDOW } from './outbox'

const decision = (more: Partial<Decision> = {}): Decision => ({
  reviewId: 'rev_1',
  response: 'approved',
  data: {},
  revision: 1,
  title: 'Autumn news',
  by: 'usr_me',
  ...more,
})

const refusal = (status: number, more: Record<string, unknown> = {}) =>
  new ApiError(status, { code: 'x', ...more })

function shelf() {
  const kept = new Map<string, string>()
  return {
    kept,
    getItem: (name: string) => kept.get(name) ?? null,
    setItem: (name: string, value: string) => void kept.set(name, value),
    removeItem: (name: string) => void kept.delete(name),
  }
}

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

describe('holding', () => {
  it('sends after the time to take it back, and not before', async () => {
    const send = vi.fn(async () => 'done')
    const outbox = new Outbox(send)
    outbox.decide(decision())
    await vi.advanceTimersByTimeAsync(UNDO_WINDOW - 1)
    expect(send).not.toHaveBeenCalled()
    expect(outbox.pending.get('rev_1')?.state).toBe('held')
    await vi.advanceTimersByTimeAsync(1)
    expect(send).toHaveBeenCalledOnce()
    expect(outbox.pending.size).toBe(0)
  })

  it('taken back, it is never sent', async () => {
    const send = vi.fn(async () => 'done')
    const outbox = new Outbox(send)
    outbox.decide(decision())
    expect(outbox.undo('rev_1')).toMatchObject({ response: 'approved' })
    expect(outbox.undo('rev_1')).toBeNull()
    await vi.advanceTimersByTimeAsync(60_000)
    expect(send).not.toHaveBeenCalled()
  })

  it('several at the same time, each with its own clock', async () => {
    const sent: string[] = []
    const outbox = new Outbox(async each => void sent.push(each.reviewId))
    outbox.decide(decision())
    await vi.advanceTimersByTimeAsync(2_000)
    outbox.decide(decision({ reviewId: 'rev_2' }))
    expect(outbox.pending.size).toBe(2)
    await vi.advanceTimersByTimeAsync(3_000)
    expect(sent).toEqual(['rev_1'])
    expect(outbox.undo('rev_2')).not.toBeNull()
    await vi.advanceTimersByTimeAsync(60_000)
    expect(sent).toEqual(['rev_1'])
  })

  it('the same again sends at once; another one takes its place and starts anew', async () => {
    const sent: Decision[] = []
    const outbox = new Outbox(async each => void sent.push(each))
    outbox.decide(decision())
    outbox.decide(decision())
    await vi.advanceTimersByTimeAsync(0)
    expect(sent).toHaveLength(1)
    outbox.decide(decision({ reviewId: 'rev_2' }))
    await vi.advanceTimersByTimeAsync(3_000)
    outbox.decide(decision({ reviewId: 'rev_2', response: 'rejected', reason: 'No.' }))
    await vi.advanceTimersByTimeAsync(3_000)
    expect(sent).toHaveLength(1)
    await vi.advanceTimersByTimeAsync(2_000)
    expect(sent.at(-1)).toMatchObject({ reviewId: 'rev_2', response: 'rejected', reason: 'No.' })
  })

  it('sending all now, as when the page closes or somebody signs out', async () => {
    const send = vi.fn(async (_decision: Decision, _closing: boolean) => 'done')
    const outbox = new Outbox(send)
    outbox.decide(decision())
    outbox.decide(decision({ reviewId: 'rev_2' }))
    await outbox.sendNow(undefined, true)
    expect(send.mock.calls.map(([each, closing]) => [each.reviewId, closing])).toEqual([
      ['rev_1', true],
      ['rev_2', true],
    ])
    await vi.advanceTimersByTimeAsync(60_000)
    expect(send).toHaveBeenCalledTimes(2)
  })
})

describe('failing', () => {
  it('without an answer, is tried again until there is one, and cannot be taken back', async () => {
    const send = vi
      .fn<() => Promise<string>>()
      .mockRejectedValueOnce(refusal(0))
      .mockRejectedValueOnce(refusal(503))
      .mockResolvedValue('done')
    const outbox = new Outbox(send)
    outbox.decide(decision())
    await vi.advanceTimersByTimeAsync(UNDO_WINDOW)
    expect(outbox.pending.get('rev_1')).toMatchObject({ state: 'waiting', attempts: 1 })
    expect(outbox.undo('rev_1')).toBeNull()
    await vi.advanceTimersByTimeAsync(2_000)
    expect(outbox.pending.get('rev_1')).toMatchObject({ state: 'waiting', attempts: 2 })
    await vi.advanceTimersByTimeAsync(4_000)
    expect(send).toHaveBeenCalledTimes(3)
    expect(outbox.pending.size).toBe(0)
    expect(outbox.refused.size).toBe(0)
  })

  it.each([400, 403, 404, 409, 422])(
    'a %d is an answer: kept, with the reason, until it is seen',
    async status => {
      const outbox = new Outbox(() => Promise.reject(refusal(status)))
      outbox.decide(decision({ data: { headline: 'Mine' } }))
      await vi.advanceTimersByTimeAsync(UNDO_WINDOW)
      expect(outbox.pending.size).toBe(0)
      expect(outbox.refused.get('rev_1')).toMatchObject({ data: { headline: 'Mine' }, error: { status } })
      outbox.dismiss('rev_1')
      expect(outbox.refused.size).toBe(0)
    },
  )

  it('decided already by oneself in the same way: it had arrived', async () => {
    const arrived = vi.fn()
    const outbox = new Outbox(() =>
      Promise.reject(refusal(409, { respondingUserId: 'usr_me', response: 'approved' })),
    )
    outbox.onArrival(arrived)
    outbox.decide(decision())
    await vi.advanceTimersByTimeAsync(UNDO_WINDOW)
    expect(arrived).toHaveBeenCalledOnce()
    expect(outbox.refused.size).toBe(0)
  })

  it.each([
    { respondingUserId: 'usr_other', response: 'approved' },
    { respondingUserId: 'usr_me', response: 'rejected' },
  ])('decided already otherwise (%o) is a conflict', async problem => {
    const outbox = new Outbox(() => Promise.reject(refusal(409, problem)))
    outbox.decide(decision())
    await vi.advanceTimersByTimeAsync(UNDO_WINDOW)
    expect(outbox.refused.size).toBe(1)
  })
})

describe('loading the page anew', () => {
  it('goes on with what the same person held, and keeps what others held', async () => {
    const storage = shelf()
    const before = new Outbox(() => new Promise(() => {}), storage)
    before.decide(decision())
    before.decide(decision({ reviewId: 'rev_2', by: 'usr_other' }))
    const sent: string[] = []
    const after = new Outbox(async each => void sent.push(each.reviewId), storage)
    after.resume('usr_me')
    await vi.advanceTimersByTimeAsync(0)
    expect(sent).toEqual(['rev_1'])
    const back = new Outbox(async each => void sent.push(each.reviewId), storage)
    back.resume('usr_other')
    await vi.advanceTimersByTimeAsync(0)
    expect(sent).toEqual(['rev_1', 'rev_2'])
    expect(storage.kept.size).toBe(0)
  })

  it.each(['', 'null', '{', '[1, null, {"reviewId": 1}]'])('a shelf with %j is an empty one', text => {
    const storage = shelf()
    storage.kept.set('signoff.decisions', text)
    const outbox = new Outbox(async () => 'done', storage)
    outbox.resume('usr_me')
    expect(outbox.pending.size).toBe(0)
  })
})

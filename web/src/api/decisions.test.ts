// @vitest-environment jsdom
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { ApiError } from './client'
import {
  type Decision,
  decide,
  dismiss,
  isQueued,
  subscribeToArrivedDecisions,
  UNDO_WINDOW,
  undo,
} from './decisions'
import { memberAccess } from './review'

const post = vi.spyOn(memberAccess.client, 'POST')
const succeed = { data: { state: 'responded' } } as never

let count = 0
let reviewId = ''
const decision = (more: Partial<Decision> = {}): Decision => ({
  reviewId,
  response: 'approved',
  data: {},
  revision: 1,
  title: 'Autumn news',
  ...more,
})

beforeEach(() => {
  vi.useFakeTimers()
  count += 1
  reviewId = `rev_${count}`
  post.mockReset().mockResolvedValue(succeed)
  return () => vi.useRealTimers()
})

type Request = { body: unknown; params: { header: Record<string, string> } }
const getRequests = () => (post.mock.calls as unknown as [string, Request][]).map(([, request]) => request)
const getBody = () => getRequests().at(-1)?.body
const getKeys = () => getRequests().map(({ params }) => params.header['Idempotency-Key'])

describe('a decision', () => {
  it('can be undone until it is sent', async () => {
    decide(decision())
    await vi.advanceTimersByTimeAsync(UNDO_WINDOW - 1)
    expect(undo(reviewId)).toMatchObject({ response: 'approved' })
    expect(undo(reviewId)).toBeUndefined()
    await vi.advanceTimersByTimeAsync(60_000)
    expect(post).not.toHaveBeenCalled()
  })

  it('cannot be undone after an attempt that may have arrived', async () => {
    post.mockRejectedValue(new ApiError(0, { code: 'network' }))
    decide(decision())
    await vi.advanceTimersByTimeAsync(UNDO_WINDOW)
    expect(post).toHaveBeenCalledOnce()
    expect(undo(reviewId)).toBeUndefined()
    post.mockResolvedValue(succeed)
    await vi.advanceTimersByTimeAsync(2_000)
    expect(isQueued(reviewId)).toBe(false)
  })

  it('is sent now if it is made again, and once', async () => {
    decide(decision())
    decide(decision())
    decide(decision({ response: 'rejected' }))
    await vi.advanceTimersByTimeAsync(60_000)
    expect(post).toHaveBeenCalledOnce()
    expect(getBody()).toEqual({ response: 'approved', data: {}, revision: 1 })
  })

  it('replaces one that is held, and is held itself', async () => {
    decide(decision())
    await vi.advanceTimersByTimeAsync(3_000)
    decide(decision({ response: 'rejected', reason: 'No.' }))
    await vi.advanceTimersByTimeAsync(UNDO_WINDOW - 1)
    expect(post).not.toHaveBeenCalled()
    await vi.advanceTimersByTimeAsync(1)
    expect(getBody()).toEqual({ response: 'rejected', data: {}, reason: 'No.', revision: 1 })
  })

  it('is repeated with the same key until there is a response, and reported once', async () => {
    const listener = vi.fn()
    const stop = subscribeToArrivedDecisions(listener)
    post.mockRejectedValueOnce(new ApiError(0, { code: 'network' }))
    decide(decision())
    await vi.advanceTimersByTimeAsync(UNDO_WINDOW)
    await vi.advanceTimersByTimeAsync(2_000)
    expect(post).toHaveBeenCalledTimes(2)
    expect(getKeys()).toEqual([expect.any(String), getKeys()[0]])
    expect(listener).toHaveBeenCalledExactlyOnceWith(expect.objectContaining({ reviewId }), {
      state: 'responded',
    })
    stop()
  })

  it('that conflicts with another one is refused, even one by the same member in another tab', async () => {
    post.mockRejectedValue(
      new ApiError(409, { code: 'already_responded', respondingUserId: 'usr_me', response: 'approved' }),
    )
    decide(decision({ data: { headline: 'Mine' } }))
    await vi.advanceTimersByTimeAsync(60_000)
    expect(post).toHaveBeenCalledOnce()
    expect(isQueued(reviewId)).toBe(true)
    dismiss(reviewId)
    expect(isQueued(reviewId)).toBe(false)
  })
})

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
const conflict = (problem: Record<string, unknown>) =>
  new ApiError(409, { code: 'already_responded', ...problem })

let count = 0
let reviewId = ''
const decision = (more: Partial<Decision> = {}): Decision => ({
  reviewId,
  response: 'approved',
  data: {},
  revision: 1,
  title: 'Autumn news',
  by: 'usr_me',
  ...more,
})

beforeEach(() => {
  vi.useFakeTimers()
  count += 1
  reviewId = `rev_${count}`
  post.mockReset().mockResolvedValue(succeed)
  return () => vi.useRealTimers()
})

const getBody = () => (post.mock.lastCall as unknown as [string, { body: unknown }] | undefined)?.[1].body

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

  it('that was made before with the same response had arrived', async () => {
    const listener = vi.fn()
    const stop = subscribeToArrivedDecisions(listener)
    post.mockRejectedValue(conflict({ respondingUserId: 'usr_me', response: 'approved' }))
    decide(decision())
    await vi.advanceTimersByTimeAsync(UNDO_WINDOW)
    expect(listener).toHaveBeenCalledExactlyOnceWith(expect.objectContaining({ reviewId }), null)
    expect(isQueued(reviewId)).toBe(false)
    stop()
  })

  it.each([
    { respondingUserId: 'usr_other', response: 'approved' },
    { respondingUserId: 'usr_me', response: 'rejected' },
  ])('that conflicts with %o is refused, until the member dismisses it', async problem => {
    post.mockRejectedValue(conflict(problem))
    decide(decision())
    await vi.advanceTimersByTimeAsync(60_000)
    expect(post).toHaveBeenCalledOnce()
    expect(isQueued(reviewId)).toBe(true)
    dismiss(reviewId)
    expect(isQueued(reviewId)).toBe(false)
  })
})

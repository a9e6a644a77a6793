import { expect, it } from 'vitest'
import type { ApiError } from './client'
import { getRetryAfter, getRetryDelay, isRetryable } from './retry-delays'

const failed = (status: number, problem = {}) => ({ status, problem }) as ApiError

it.each([0, 408, 425, 429, 500, 502, 503])('%d may pass', status => {
  expect(isRetryable(failed(status))).toBe(true)
})

it.each([400, 401, 403, 404, 409, 413, 422])('%d is final', status => {
  expect(isRetryable(failed(status))).toBe(false)
})

it.each([
  [undefined, 0],
  [7, 7_000],
  [-1, 0],
  ['soon', 0],
  [10 ** 12, 900_000],
])('Retry-After %s is a pause of %d', (retryAfter, pause) => {
  expect(getRetryAfter(failed(429, { retryAfter }))).toBe(pause)
})

it('the pause grows up to the last one, and is never shorter than asked for', () => {
  const pauses = [1, 2, 3]
  expect([1, 2, 3, 4, 99].map(failures => getRetryDelay(failed(0), failures, pauses))).toEqual([
    1, 2, 3, 3, 3,
  ])
  expect(getRetryDelay(failed(503, { retryAfter: 9 }), 1, pauses)).toBe(9_000)
})

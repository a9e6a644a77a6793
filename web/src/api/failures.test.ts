// @vitest-environment jsdom
import { expect, it } from 'vitest'
import { ApiError } from './client'
import { classifyError, getRetryDelay } from './failures'

const classify = (status: number, problem = {}) => classifyError(new ApiError(status, problem))

it.each([0, 408, 425, 429, 500, 502, 503])('%d may pass', status => {
  expect(classify(status).isTemporary).toBe(true)
})

it.each([400, 401, 403, 404, 409, 413, 422])('%d is final', status => {
  expect(classify(status).isTemporary).toBe(false)
})

it('anything else is a lost connection', () => {
  expect(classifyError(new TypeError('Failed to fetch'))).toMatchObject({
    error: { status: 0, code: 'network' },
    isTemporary: true,
    retryAfter: 0,
  })
})

it.each([
  [undefined, 0],
  [7, 7_000],
  [-1, 0],
  ['soon', 0],
  [10 ** 12, 900_000],
])('Retry-After %s is a pause of %d', (retryAfter, pause) => {
  expect(classify(429, { retryAfter }).retryAfter).toBe(pause)
})

it('the pause grows up to the last one, and is never shorter than asked for', () => {
  const pauses = [1, 2, 3]
  expect([1, 2, 3, 4, 99].map(failures => getRetryDelay(classify(0), failures, pauses))).toEqual([
    1, 2, 3, 3, 3,
  ])
  expect(getRetryDelay(classify(503, { retryAfter: 9 }), 1, pauses)).toBe(9_000)
})

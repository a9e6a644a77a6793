// @vitest-environment jsdom
import { expect, it } from 'vitest'
import { ApiError } from '@/api/client'
import { queryClient } from './query-client'

const { retry, retryDelay } = queryClient.getDefaultOptions().queries ?? {}
const isRetried = (failures: number, error: Error) => typeof retry === 'function' && retry(failures, error)
const getDelay = (failures: number, error: Error) =>
  typeof retryDelay === 'function' ? retryDelay(failures, error) : undefined

it('retries errors that may pass, three times', () => {
  for (const error of [new ApiError(0, {}), new ApiError(503, {}), new ApiError(429, {}), new TypeError()]) {
    expect([0, 1, 2, 3].map(failures => isRetried(failures, error))).toEqual([true, true, true, false])
    expect([0, 1, 2].map(failures => getDelay(failures, error))).toEqual([1_000, 2_000, 4_000])
  }
})

it('never retries a refusal', () => expect(isRetried(0, new ApiError(404, {}))).toBe(false))

it('waits as long as the service asks, unless the page had better say so', () => {
  expect(isRetried(0, new ApiError(429, { retryAfter: 3 }))).toBe(true)
  expect(getDelay(0, new ApiError(429, { retryAfter: 3 }))).toBe(3_000)
  expect(isRetried(0, new ApiError(429, { retryAfter: 60 }))).toBe(false)
})

/** What the error of a request means: whether to retry it, and after how long. */

import { ApiError } from './client'

export type Failure = {
  error: ApiError
  /** There was no response, or one that says "not now". The same request may succeed later. */
  isTemporary: boolean
  /** How long the service asks us to wait, in milliseconds; 0 if it doesn't say. */
  retryAfter: number
}

const TEMPORARY_STATUSES: ReadonlySet<number> = new Set([0, 408, 425, 429])
const MAX_RETRY_AFTER = 15 * 60_000

/** Anything that isn't an error of the service counts as a lost connection. */
export function classifyError(thrown: unknown): Failure {
  const error = thrown instanceof ApiError ? thrown : new ApiError(0, { code: 'network' })
  const { status, problem } = error
  const pause = Number(problem.retryAfter ?? 0) * 1_000
  return {
    error,
    isTemporary: TEMPORARY_STATUSES.has(status) || status >= 500,
    retryAfter: Number.isFinite(pause) ? Math.min(Math.max(0, pause), MAX_RETRY_AFTER) : 0,
  }
}

/**
 * How long to wait before the next retry, after so many failures: longer each time, and never less than the service
 * asked for.
 */
export const getRetryDelay = ({ retryAfter }: Failure, failures: number, delays: readonly number[]): number =>
  Math.max(delays[Math.min(failures, delays.length) - 1] ?? 0, retryAfter)

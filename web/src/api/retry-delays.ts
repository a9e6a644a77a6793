/** When to retry a failed request, and after how long. */

import type { ApiError } from './client'

const RETRYABLE_STATUSES: ReadonlySet<number> = new Set([0, 408, 425, 429])

/** No response, or one that says "not now": the same request may succeed later. Other errors are final. */
export const isRetryable = ({ status }: ApiError): boolean => RETRYABLE_STATUSES.has(status) || status >= 500

const MAX_RETRY_AFTER = 15 * 60_000

/** How long the service asks us to wait, in milliseconds; 0 if it doesn't say. */
export function getRetryAfter({ problem }: ApiError): number {
  const milliseconds = Number(problem.retryAfter ?? 0) * 1_000
  return Number.isFinite(milliseconds) ? Math.min(Math.max(0, milliseconds), MAX_RETRY_AFTER) : 0
}

/**
 * How long to wait before the next retry, after so many failures: longer each time, and never less than the service
 * asked for.
 */
export const getRetryDelay = (error: ApiError, failures: number, delays: readonly number[]): number =>
  Math.max(delays[Math.min(failures, delays.length) - 1] ?? 0, getRetryAfter(error))

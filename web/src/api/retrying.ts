/** When a request that failed is worth repeating, and after how long. */

import type { ApiError } from './client'

const PASSING: ReadonlySet<number> = new Set([0, 408, 425, 429])

/** No answer, or one that says "not now": the same request may succeed later. Anything else is final. */
export const mayPass = ({ status }: ApiError): boolean => PASSING.has(status) || status >= 500

const LONGEST_PAUSE = 15 * 60_000

/** How long the service asks us to wait, in milliseconds; 0 if it doesn't say. */
export function askedPause({ problem }: ApiError): number {
  const asked = Number(problem.retryAfter ?? 0) * 1_000
  return Number.isFinite(asked) ? Math.min(Math.max(0, asked), LONGEST_PAUSE) : 0
}

/** How long to wait before the next try, after so many failures: longer each time, and never less than was asked for. */
export const pauseAfter = (error: ApiError, failures: number, pauses: readonly number[]): number =>
  Math.max(pauses[Math.min(failures, pauses.length) - 1] ?? 0, askedPause(error))

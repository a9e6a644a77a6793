/** Decides many reviews one by one and collects the result of each. */

import { t } from '@lingui/core/macro'
import { ApiError, type ErrorDetail } from '@/api/client'
import { classifyError } from '@/api/failures'

export type Outcome =
  | { kind: 'waiting' }
  | { kind: 'sending' }
  | { kind: 'done' }
  /** It was decided before, by someone else or in another tab. */
  | { kind: 'decided'; response: string | null; by: string | null; at: string | null }
  /** The agent has replaced the content that the reviewer saw. */
  | { kind: 'replaced' }
  /** The reviewer edited content that the agent has replaced since. */
  | { kind: 'outdatedEdits' }
  /** The service rejected the values. */
  | { kind: 'invalid'; errors: readonly ErrorDetail[]; message: string }
  | { kind: 'failed'; message: string; isRetryable: boolean }

/** The outcome of an error. */
export function getOutcome(error: unknown): Outcome {
  if (!(error instanceof ApiError))
    return { kind: 'failed', message: t`Something went wrong. Try again.`, isRetryable: true }
  const { problem } = error
  if (error.code === 'already_responded')
    return {
      kind: 'decided',
      response: getText(problem.response),
      by: getText(problem.respondingUser),
      at: getText(problem.respondedAt),
    }
  if (error.code === 'content_replaced') return { kind: 'replaced' }
  if (error.status === 422) return { kind: 'invalid', errors: error.errors, message: error.message }
  return { kind: 'failed', message: error.message, isRetryable: classifyError(error).isTemporary }
}

const getText = (value: unknown): string | null => (typeof value === 'string' ? value : null)

/** Whether a retry without changes may succeed. Other errors need attention. */
export const canRetry = (outcome: Outcome): boolean =>
  outcome.kind === 'waiting' || (outcome.kind === 'failed' && outcome.isRetryable)

export type Outcomes = ReadonlyMap<string, Outcome>

export type OutcomeCounts = { done: number; open: number; failed: number; total: number }

export function countOutcomes(outcomes: Outcomes): OutcomeCounts {
  const counts = { done: 0, open: 0, failed: 0, total: outcomes.size }
  for (const { kind } of outcomes.values()) {
    if (kind === 'done') counts.done += 1
    else if (kind === 'waiting' || kind === 'sending') counts.open += 1
    else counts.failed += 1
  }
  return counts
}

const MAX_CONCURRENT = 4

/** Runs the function for each of `ids`, four at a time, until all are done or it's stopped. */
export async function runForEach(
  ids: readonly string[],
  work: (id: string) => Promise<void>,
  signal: AbortSignal,
): Promise<void> {
  const queue = [...ids]
  const next = async () => {
    for (let id = queue.shift(); id !== undefined && !signal.aborted; id = queue.shift()) await work(id)
  }
  await Promise.all(Array.from({ length: MAX_CONCURRENT }, next))
}

/** Decides each of `ids` and reports the outcome. Stopping lets running requests finish and starts no others. */
export const decideEach = (
  ids: readonly string[],
  decide: (id: string) => Promise<Outcome>,
  onOutcome: (id: string, outcome: Outcome) => void,
  signal: AbortSignal,
): Promise<void> =>
  runForEach(
    ids,
    async id => {
      onOutcome(id, { kind: 'sending' })
      onOutcome(id, await decide(id))
    },
    signal,
  )

/** Deciding many reviews one by one, and what became of each. */

import { t } from '@lingui/core/macro'
import type { ApiError, ErrorDetail } from '@/api/client'

export type Outcome =
  | { kind: 'waiting' }
  | { kind: 'sending' }
  | { kind: 'done' }
  /** Someone else decided it first. */
  | { kind: 'decided'; response: string | null; by: string | null; at: string | null }
  /** The agent replaced the content that was looked at. */
  | { kind: 'replaced' }
  /** The person's edits are to content that the agent has replaced since. */
  | { kind: 'outdatedEdits' }
  /** The service refuses the values. */
  | { kind: 'invalid'; faults: readonly ErrorDetail[]; message: string }
  | { kind: 'failed'; message: string; mayPass: boolean }

/** What a refusal means. `decision`: what was sent, to know one's own again when its answer got lost. */
export function outcomeOf(error: unknown, decision: { response: string; by: string }): Outcome {
  if (!isApiError(error))
    return { kind: 'failed', message: t`Something went wrong. Try again.`, mayPass: true }
  const { problem } = error
  if (error.code === 'already_responded') {
    if (problem.respondingUserId === decision.by && problem.response === decision.response)
      return { kind: 'done' }
    return {
      kind: 'decided',
      response: textOf(problem.response),
      by: textOf(problem.respondingUser),
      at: textOf(problem.respondedAt),
    }
  }
  if (error.code === 'content_replaced') return { kind: 'replaced' }
  if (error.status === 422) return { kind: 'invalid', faults: error.errors, message: error.message }
  const mayPass = error.status === 0 || error.status === 429 || error.status >= 500
  return { kind: 'failed', message: error.message, mayPass }
}

// By its shape, so that this file can be tested without a page.
const isApiError = (error: unknown): error is ApiError =>
  error instanceof Error && error.name === 'ApiError' && 'status' in error

const textOf = (value: unknown): string | null => (typeof value === 'string' ? value : null)

/** What can be tried again as it is. Anything else needs somebody to look at it. */
export const canTryAgain = (outcome: Outcome): boolean =>
  outcome.kind === 'waiting' || (outcome.kind === 'failed' && outcome.mayPass)

export type Outcomes = ReadonlyMap<string, Outcome>

export type Tally = { done: number; open: number; failed: number; total: number }

export function tally(outcomes: Outcomes): Tally {
  const counts = { done: 0, open: 0, failed: 0, total: outcomes.size }
  for (const { kind } of outcomes.values()) {
    if (kind === 'done') counts.done += 1
    else if (kind === 'waiting' || kind === 'sending') counts.open += 1
    else counts.failed += 1
  }
  return counts
}

const AT_ONCE = 4

/** Does the work for each of `ids`, four at a time, until there are none left or it is stopped. */
export async function forEachOf(
  ids: readonly string[],
  work: (id: string) => Promise<void>,
  signal: AbortSignal,
): Promise<void> {
  const queue = [...ids]
  const next = async () => {
    for (let id = queue.shift(); id !== undefined && !signal.aborted; id = queue.shift()) await work(id)
  }
  await Promise.all(Array.from({ length: AT_ONCE }, next))
}

/**
 * Decides each of `ids` and tells what became of it. Stopping lets those under way come to their end and begins no other.
 */
export const decideEach = (
  ids: readonly string[],
  decide: (id: string) => Promise<Outcome>,
  tell: (id: string, outcome: Outcome) => void,
  signal: AbortSignal,
): Promise<void> =>
  forEachOf(
    ids,
    async id => {
      tell(id, { kind: 'sending' })
      tell(id, await decide(id))
    },
    signal,
  )

/** The signed-in member's decisions. Each is held for a few seconds, in which it can be undone, then sent. */

import { useEffect, useSyncExternalStore } from 'react'
import { getOwnKey } from '@/lib/tab-storage'
import { type ApiError, data } from './client'
import { type Mutation, startMutationQueue } from './mutation-queue'
import { type Access, memberAccess, type RequestOptions, type Review } from './review'

export const UNDO_WINDOW = 5_000

export type Decision = {
  reviewId: string
  /** Null for a trigger form, which is neither approved nor rejected. */
  response: 'approved' | 'rejected' | null
  /** The changed values, as `POST /reviews/{id}/response` takes them. */
  data: Record<string, unknown>
  reason?: string
  /** The revision that the reviewer saw. */
  revision: number
  /** The review's title in notices. */
  title: string
}

export type PendingDecision = Mutation<Decision>
export type RefusedDecision = PendingDecision & { error: ApiError }

/** Sends a decision immediately. `key` is the same for every attempt, so that a lost response decides nothing twice. */
export function postDecision(
  access: Access,
  { reviewId, response, data: values, reason, revision }: Omit<Decision, 'title'>,
  { key, ...options }: RequestOptions & { key?: string } = {},
): Promise<Review> {
  const body = { ...(response !== null && { response }), data: values, ...(reason && { reason }), revision }
  const params = { path: { reviewId }, header: { 'Idempotency-Key': key } }
  return data(access.client.POST('/reviews/{reviewId}/response', { params, body, ...options }))
}

const queue = startMutationQueue<Decision, Review>({
  getStorageKey: () => getOwnKey('decisions'),
  send: (decision, request) => postDecision(memberAccess, decision, { key: decision.id, ...request }),
  getScope: ({ reviewId }) => reviewId,
  hold: UNDO_WINDOW,
  replaces: true,
  blocksReloads: true,
  retryDelays: [2_000, 4_000, 8_000, 15_000, 30_000],
})

export const { sendNow } = queue

/** Holds a decision. Calling it again with the same decision sends it now. */
export function decide(decision: Decision): void {
  const pending = queue.find(decision.reviewId)
  if (pending?.state === 'sending') return
  if (pending && pending.state !== 'refused' && isSameDecision(pending, decision))
    void sendNow(decision.reviewId)
  else queue.add(decision)
}

const isSameDecision = (pending: Decision, other: Decision): boolean =>
  pending.response === other.response &&
  pending.revision === other.revision &&
  (pending.reason ?? '') === (other.reason ?? '') &&
  JSON.stringify(pending.data) === JSON.stringify(other.data)

/** Undoes a decision that hasn't been sent. Returns it, or undefined if it's too late. */
export function undo(reviewId: string): Decision | undefined {
  const pending = queue.find(reviewId)
  return pending?.state === 'held' ? queue.cancel(pending.id) : undefined
}

/** Dismisses the notice about a refused decision. */
export function dismiss(reviewId: string): void {
  const refused = queue.find(reviewId)
  if (refused?.state === 'refused') queue.cancel(refused.id)
}

/** Whether a decision on the review is being sent or was refused. */
export const isQueued = (reviewId: string): boolean => queue.find(reviewId) !== undefined

type Decisions = ReadonlyMap<string, PendingDecision>
let pending: Decisions = new Map()
let refused: ReadonlyMap<string, RefusedDecision> = new Map()

const isRefused = (decision: PendingDecision): decision is RefusedDecision => decision.state === 'refused'

/** The same map as before if it has the same decisions. */
function toMap<D extends PendingDecision>(before: ReadonlyMap<string, D>, all: readonly D[]) {
  const isSame = all.length === before.size && all.every(each => before.get(each.reviewId) === each)
  return isSame ? before : new Map(all.map(each => [each.reviewId, each]))
}

queue.subscribe(() => {
  pending = toMap(
    pending,
    queue.all.filter(each => !isRefused(each)),
  )
  refused = toMap(refused, queue.all.filter(isRefused))
})

/** Decisions that are held or being sent, by review. */
export const usePendingDecisions = (): Decisions => useSyncExternalStore(queue.subscribe, () => pending)

/** Decisions that the service refused and the member hasn't dismissed, by review. */
export const useRefusedDecisions = (): ReadonlyMap<string, RefusedDecision> =>
  useSyncExternalStore(queue.subscribe, () => refused)

/** Calls the listener for each decision that has arrived. Returns a function that unsubscribes. */
export const subscribeToArrivedDecisions: (
  listener: (decision: Decision, review: Review) => void,
) => () => void = queue.onArrival

/** Calls `listener` (which should be stable) for each decision that has arrived. */
export function useOnDecisionArrived(listener: (decision: Decision, review: Review) => void) {
  useEffect(() => subscribeToArrivedDecisions(listener), [listener])
}

/** Resumes the decisions that this member made before the page was reloaded. */
export function useResumeDecisions(userId: string) {
  // biome-ignore lint/correctness/useExhaustiveDependencies: another member has other decisions.
  useEffect(queue.resume, [userId])
}

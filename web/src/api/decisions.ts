/** The outbox of the signed-in member's decisions, and hooks that read it. */

import { useEffect, useSyncExternalStore } from 'react'
import { blockReloads, confirmBeforeClosing, onPageExit } from '@/lib/page-exit'
import { data } from './client'
import { type Decision, Outbox, type PendingDecision, type RefusedDecision } from './outbox'
import { type Access, MAX_KEEPALIVE_BYTES, memberAccess, type Review } from './review'

export { type Decision, type PendingDecision, type RefusedDecision, UNDO_WINDOW } from './outbox'

/** Sends a decision immediately. */
export function postDecision(access: Access, decision: Decision, closing = false): Promise<Review> {
  const body = {
    ...(decision.response !== null && { response: decision.response }),
    data: decision.data,
    ...(decision.reason && { reason: decision.reason }),
    revision: decision.revision,
  }
  const keepalive = closing && fitsKeepalive(body)
  const params = { path: { reviewId: decision.reviewId } }
  return data(access.client.POST('/reviews/{reviewId}/response', { params, body, keepalive }))
}

const fitsKeepalive = (body: unknown): boolean => JSON.stringify(body).length < MAX_KEEPALIVE_BYTES

const outbox = new Outbox<Review>(
  (decision, closing) => postDecision(memberAccess, decision, closing),
  typeof sessionStorage === 'undefined' ? null : sessionStorage,
)

export const { decide, undo, sendNow, dismiss } = outbox

if (typeof window !== 'undefined') {
  onPageExit(closing => outbox.sendNow(undefined, closing))
  window.addEventListener('online', () => void outbox.sendNow())
  // Ask before closing if a decision would be lost: the service is unreachable, or there is more to send than a closing
  // page may send.
  confirmBeforeClosing(() => {
    const decisions = [...outbox.pending.values()]
    return decisions.some(each => each.state === 'waiting' || !fitsKeepalive(each))
  })
  // A reload would end the time in which a decision can be undone.
  blockReloads(() => outbox.pending.size > 0)
}

/** Whether a decision on the review is being sent or was refused. */
export const isInOutbox = (reviewId: string): boolean =>
  outbox.pending.has(reviewId) || outbox.refused.has(reviewId)

/** Decisions that are held or being sent, by review. */
export const usePendingDecisions = (): ReadonlyMap<string, PendingDecision> =>
  useSyncExternalStore(outbox.subscribe, () => outbox.pending)

/** Decisions that the service refused and the member hasn't dismissed, by review. */
export const useRefusedDecisions = (): ReadonlyMap<string, RefusedDecision> =>
  useSyncExternalStore(outbox.subscribe, () => outbox.refused)

/** Calls `listener` for each decision that has arrived. Returns a function that unsubscribes. */
export const subscribeToArrivedDecisions = (listener: (decision: Decision, review: Review | null) => void) =>
  outbox.onArrival(listener)

/** Calls `listener` (which should be stable) for each decision that has arrived. */
export function useOnDecisionArrived(listener: (decision: Decision, review: Review | null) => void) {
  useEffect(() => subscribeToArrivedDecisions(listener), [listener])
}

/** Resumes the decisions that this member made before the page was reloaded. */
export function useResumeDecisions(person: string) {
  useEffect(() => outbox.resume(person), [person])
}

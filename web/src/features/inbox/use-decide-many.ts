import { useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect, useRef, useState } from 'react'
import { postDecision } from '@/api/decisions'
import { memberAccess, reviewKeys } from '@/api/review'
import { type ReviewRow, storeDecision } from '@/api/reviews'
import { randomId } from '@/lib/random'
import { canRetry, decideEach, getOutcome, type Outcome, type Outcomes } from './bulk-outcomes'
import type { OwnEdits } from './own-edits'

type Response = 'approved' | 'rejected'

/** Decides reviews in the revisions that the member saw, with the agents' suggestions or the member's edits. */
export function useDecideMany(
  rows: readonly ReviewRow[],
  response: Response,
  onDecided: (reviewId: string) => void,
) {
  const client = useQueryClient()
  const [outcomes, setOutcomes] = useState<Outcomes>(new Map())
  const [isRunning, setRunning] = useState(false)
  const stopping = useRef<AbortController>(undefined)
  // The same for every attempt to send the same decision, so that a lost response decides nothing twice.
  const keys = useRef(new Map<string, string>())
  // Leaving the page stops what hasn't started.
  useEffect(() => () => stopping.current?.abort(), [])

  const decide = useCallback(
    async (row: ReviewRow, reason: string, edits: OwnEdits | null): Promise<Outcome> => {
      const { reviewId, revision } = row
      if (edits?.outdated.has(reviewId)) return { kind: 'outdatedEdits' }
      const data = edits?.current.get(reviewId) ?? {}
      const decision = { reviewId, response, revision, reason, data }
      const text = JSON.stringify(decision)
      const key = keys.current.get(text) ?? randomId()
      keys.current.set(text, key)
      try {
        storeDecision(reviewId, response, await postDecision(memberAccess, decision, { key }))
      } catch (error) {
        return getOutcome(error)
      }
      client.invalidateQueries({ queryKey: reviewKeys.all(reviewId) })
      client.removeQueries({ queryKey: reviewKeys.draft(reviewId) })
      onDecided(reviewId)
      return { kind: 'done' }
    },
    [client, response, onDecided],
  )

  /** Decides the undecided and retryable reviews. `edits`: sent instead of the suggestions. */
  const start = async (reason: string, edits: OwnEdits | null) => {
    const before = outcomes.size > 0 ? outcomes : new Map<string, Outcome>(createWaitingOutcomes(rows))
    const chosen = rows.filter(row => canRetry(before.get(row.reviewId) ?? { kind: 'waiting' }))
    const byId = new Map(chosen.map(row => [row.reviewId, row]))
    const stop = new AbortController()
    stopping.current = stop
    setOutcomes(new Map([...before, ...createWaitingOutcomes(chosen)]))
    setRunning(true)
    await decideEach(
      [...byId.keys()],
      id => decide(byId.get(id) as ReviewRow, reason, edits),
      (id, outcome) => setOutcomes(told => new Map(told).set(id, outcome)),
      stop.signal,
    )
    setRunning(false)
  }

  return { outcomes, isRunning, start, stop: () => stopping.current?.abort() }
}

const createWaitingOutcomes = (rows: readonly ReviewRow[]): [string, Outcome][] =>
  rows.map(row => [row.reviewId, { kind: 'waiting' }])

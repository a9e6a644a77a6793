import { useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect, useRef, useState } from 'react'
import { type Review, reviewKeys } from '@/api/review'
import { type ReviewRow, respondToReview, storeDecision } from '@/api/reviews'
import { useMe } from '@/api/session'
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
  const me = useMe().user.userId
  const [outcomes, setOutcomes] = useState<Outcomes>(new Map())
  const [isRunning, setRunning] = useState(false)
  const stopping = useRef<AbortController>(undefined)
  // Leaving the page stops what hasn't started.
  useEffect(() => () => stopping.current?.abort(), [])

  const decide = useCallback(
    async (row: ReviewRow, reason: string, edits: OwnEdits | null): Promise<Outcome> => {
      const { reviewId, revision } = row
      if (edits?.outdated.has(reviewId)) return { kind: 'outdatedEdits' }
      const data = edits?.current.get(reviewId)
      let decided: Review | null = null
      try {
        decided = await respondToReview(reviewId, {
          response,
          revision,
          ...(reason && { reason }),
          ...(data && { data }),
        })
      } catch (error) {
        const outcome = getOutcome(error, { response, by: me })
        if (outcome.kind !== 'done') return outcome
      }
      storeDecision(reviewId, response, decided)
      client.invalidateQueries({ queryKey: reviewKeys.all(reviewId) })
      client.removeQueries({ queryKey: reviewKeys.draft(reviewId) })
      onDecided(reviewId)
      return { kind: 'done' }
    },
    [client, me, response, onDecided],
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

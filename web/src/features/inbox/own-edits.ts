/** The member's own edits to reviews that are about to be decided together. */

import { useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect, useState } from 'react'
import { reviewQueries } from '@/api/review'
import { runForEach } from './bulk-outcomes'

export type OwnDraft = { data: Readonly<Record<string, unknown>>; revision: number }

/** The drafts that this tab knows. Undefined: none, so the service has to be asked. */
export type LocalDrafts = {
  read: (reviewId: string) => Promise<OwnDraft | null | undefined>
  delete: (reviewId: string) => Promise<void>
}

type Row = { reviewId: string; revision: number }

export type OwnEdits = {
  /** The data to send, by review. */
  current: ReadonlyMap<string, OwnDraft['data']>
  /** The reviews with edits to content that the agent has replaced since. They need attention. */
  outdated: ReadonlySet<string>
}

/** Drafts that change a value, grouped by whether they are about the current revision. A reason alone isn't an edit. */
export function collectOwnEdits(
  rows: readonly Row[],
  drafts: ReadonlyMap<string, OwnDraft | null>,
): OwnEdits {
  const current = new Map<string, OwnDraft['data']>()
  const outdated = new Set<string>()
  for (const { reviewId, revision } of rows) {
    const draft = drafts.get(reviewId)
    if (!draft || Object.keys(draft.data).length === 0) continue
    if (draft.revision === revision) current.set(reviewId, draft.data)
    else outdated.add(reviewId)
  }
  return { current, outdated }
}

/** Null until every draft is loaded. `error`: one couldn't be loaded. */
export function useOwnEdits(rows: readonly Row[], local: LocalDrafts) {
  const client = useQueryClient()
  const [edits, setEdits] = useState<OwnEdits | null>(null)
  const [error, setError] = useState<Error | null>(null)
  const [attempt, setAttempt] = useState(0)
  // biome-ignore lint/correctness/useExhaustiveDependencies: another attempt loads them again.
  useEffect(() => {
    const stop = new AbortController()
    const drafts = new Map<string, OwnDraft | null>()
    const read = async (reviewId: string) => {
      const known = await local.read(reviewId)
      const draft =
        known === undefined
          ? await client.fetchQuery({ ...reviewQueries.draft(reviewId), staleTime: 0 })
          : known
      drafts.set(reviewId, draft as OwnDraft | null)
    }
    setError(null)
    runForEach(
      rows.map(row => row.reviewId),
      read,
      stop.signal,
    ).then(
      () => !stop.signal.aborted && setEdits(collectOwnEdits(rows, drafts)),
      (thrown: unknown) => {
        if (!stop.signal.aborted) setError(thrown instanceof Error ? thrown : new Error(String(thrown)))
        stop.abort()
      },
    )
    return () => stop.abort()
  }, [client, rows, local, attempt])
  return { edits, error, retry: useCallback(() => setAttempt(before => before + 1), []) }
}

/** Applies changes in sessions to everything cached about them. */

import type { QueryClient, QueryKey } from '@tanstack/react-query'
import { throttle } from '@/lib/throttle'
import type { ReviewChange } from './review-lists'
import { type SessionFilters, type SessionList, type SessionRow, withSession } from './session-lists'
import { getItems, type Timeline, withReview } from './session-timeline'
import {
  readNewMessages,
  refetchTimelines,
  type Session,
  sessionKeys,
  subscribeToSentMessages,
} from './sessions'

export type SessionUpdate = {
  sessionId: string
  action: string
  actorId: string
  row?: SessionRow | null
}

const LISTS_INTERVAL = 1_500
/** Refetching a whole list for every change in the number of open reviews would cost too much. */
const OPEN_REVIEWS_INTERVAL = 6_000
const SESSIONS_INTERVAL = 300

export type LiveSessions = {
  handleMessage: (news: SessionUpdate) => void
  handleReviewChange: (change: ReviewChange) => void
  /** A timeline was fetched: apply the changes that happened during the fetch. */
  reapplyChanges: (changes: readonly ReviewChange[]) => void
  refetchAll: () => void
  stop: () => void
}

export function startLiveSessions(client: QueryClient, refetchCounts: () => void): LiveSessions {
  const stopOutgoing = subscribeToSentMessages(client)
  let outdatedLists = new Map<string, QueryKey>()
  let changedSessions = new Set<string>()
  let miscountedLists = new Map<string, QueryKey>()

  const refetchLists = throttle(() => {
    for (const queryKey of outdatedLists.values()) void client.invalidateQueries({ queryKey, exact: true })
    outdatedLists = new Map()
  }, LISTS_INTERVAL)
  const refetchOpenReviews = throttle(() => {
    for (const queryKey of miscountedLists.values()) void client.invalidateQueries({ queryKey, exact: true })
    miscountedLists = new Map()
  }, OPEN_REVIEWS_INTERVAL)
  const refetchSessions = throttle(() => {
    for (const sessionId of changedSessions)
      void client.invalidateQueries({ queryKey: sessionKeys.session(sessionId), exact: true })
    changedSessions = new Set()
  }, SESSIONS_INTERVAL)

  const patchLists = (row: SessionRow | null | undefined) => {
    for (const { queryKey, state } of client.getQueryCache().findAll({ queryKey: sessionKeys.lists })) {
      const list = state.data as SessionList | undefined
      const patched = row && list && withSession(list, queryKey[2] as SessionFilters, row)
      if (patched && patched !== list) client.setQueryData(queryKey, patched)
      // A fetch in progress may return data from before the change.
      if (!patched || state.fetchStatus === 'fetching') outdatedLists.set(JSON.stringify(queryKey), queryKey)
    }
    if (outdatedLists.size > 0) refetchLists()
  }

  /** A session's row has its number of open reviews, which only the service counts. */
  const countOpenReviews = (sessionIds: ReadonlySet<string>, agentId: string | undefined) => {
    for (const { queryKey, state } of client.getQueryCache().findAll({ queryKey: sessionKeys.lists })) {
      const list = state.data as SessionList | undefined
      if (!list || mayContain(list, queryKey[2] as SessionFilters, sessionIds, agentId))
        miscountedLists.set(JSON.stringify(queryKey), queryKey)
    }
    if (miscountedLists.size > 0) refetchOpenReviews()
  }

  /** Returns the sessions whose timelines have or had the review. */
  const patchTimelines = (change: ReviewChange): Set<string> => {
    const found = new Set<string>()
    for (const { queryKey, state } of client.getQueryCache().findAll({ queryKey: sessionKeys.timelines })) {
      const timeline = state.data as Timeline | undefined
      if (!timeline || (change.row !== null && change.row.sessionId !== queryKey[2])) continue
      if (
        getItems(timeline).some(item => item.kind !== 'message' && item.review.reviewId === change.reviewId)
      )
        found.add(queryKey[2] as string)
      const patched = withReview(timeline, change)
      if (patched !== timeline) client.setQueryData(queryKey, patched)
    }
    return found
  }

  const readMessages = (sessionId: string) => {
    const query = client.getQueryCache().find({ queryKey: sessionKeys.timeline(sessionId), exact: true })
    if (!query) return
    if (query.isActive()) void readNewMessages(client, sessionId)
    // It isn't shown: refetch it when someone opens it.
    else void client.invalidateQueries({ queryKey: sessionKeys.timeline(sessionId), refetchType: 'none' })
  }

  return {
    handleMessage: ({ sessionId, action, row }) => {
      if (action === 'session.message' || action === 'session.piece') readMessages(sessionId)
      if (action === 'session.piece') return
      // The next person to open it sees what's new right away.
      if (row)
        client.setQueryData<Session>(
          sessionKeys.session(sessionId),
          known => known && { ...known, unread: row.unread, messageCount: row.messageCount },
        )
      changedSessions.add(sessionId)
      refetchSessions()
      if (action === 'session.typing' || action === 'session.working') return
      patchLists(row)
      refetchCounts()
    },
    handleReviewChange: change => {
      // A deleted review no longer says which session it belonged to.
      const sessionIds = patchTimelines(change)
      if (change.row) sessionIds.add(change.row.sessionId)
      for (const sessionId of sessionIds) changedSessions.add(sessionId)
      if (sessionIds.size > 0) refetchSessions()
      countOpenReviews(sessionIds, change.row?.agentId)
    },
    reapplyChanges: changes => {
      for (const change of changes) patchTimelines(change)
    },
    refetchAll: () => refetchTimelines(client),
    stop: () => {
      stopOutgoing()
      refetchLists.cancel()
      refetchOpenReviews.cancel()
      refetchSessions.cancel()
    },
  }
}

/**
 * Whether a list shows or may have to show one of the sessions: a list of all sessions may get one that started with
 * the review.
 */
function mayContain(
  list: SessionList,
  filters: SessionFilters,
  sessionIds: ReadonlySet<string>,
  agentId: string | undefined,
): boolean {
  if (sessionIds.size === 0) return true
  if (list.pages.some(page => page.items.some(row => sessionIds.has(row.sessionId)))) return true
  const isForAll = !filters.chat && !filters.q
  return isForAll && (filters.agentId === undefined || agentId === undefined || filters.agentId === agentId)
}

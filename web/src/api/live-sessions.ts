/** Applies changes in sessions to everything cached about them. */

import type { QueryClient, QueryKey } from '@tanstack/react-query'
import { throttle } from '@/lib/throttle'
import type { ReviewRow } from './review-filters'
import type { RowList } from './row-store'
import { getSessionListRules, type SessionFilters, type SessionRow, sessionRows } from './session-lists'
import { readNewMessages, refetchTimelines, sessionKeys, subscribeToSentMessages } from './sessions'

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
  /** `review`: the last known row. Absent: the review was deleted and may have belonged to any session. */
  handleReviewChange: (review: ReviewRow | undefined) => void
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

  /** Only the service can tell which sessions a search finds, and whether a session without messages is a chat. */
  const markOutdatedLists = (row: SessionRow | null | undefined) => {
    for (const { queryKey, state } of client.getQueryCache().findAll({ queryKey: sessionKeys.lists })) {
      const filters = queryKey[2] as SessionFilters
      const isListed = () => !filters.q && isShown(state.data as RowList | undefined, row?.sessionId)
      if (!row || (getSessionListRules(filters).match(row) === 'unknown' && !isListed()))
        outdatedLists.set(JSON.stringify(queryKey), queryKey)
    }
    if (outdatedLists.size > 0) refetchLists()
  }

  /** A session's row has its number of open reviews, which only the service counts. */
  const countOpenReviews = (review: ReviewRow | undefined) => {
    for (const { queryKey, state } of client.getQueryCache().findAll({ queryKey: sessionKeys.lists })) {
      const list = state.data as RowList | undefined
      if (!list || !review || mayContain(list, queryKey[2] as SessionFilters, review))
        miscountedLists.set(JSON.stringify(queryKey), queryKey)
    }
    if (miscountedLists.size > 0) refetchOpenReviews()
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
      if (row) sessionRows.addChanges([row])
      changedSessions.add(sessionId)
      refetchSessions()
      if (action === 'session.typing' || action === 'session.working') return
      markOutdatedLists(row)
      refetchCounts()
    },
    handleReviewChange: review => {
      if (review) {
        changedSessions.add(review.sessionId)
        refetchSessions()
      }
      countOpenReviews(review)
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
 * Whether a list shows or may have to show the review's session: a list of all sessions may get one that started with
 * the review.
 */
function mayContain(list: RowList, filters: SessionFilters, { sessionId, agentId }: ReviewRow): boolean {
  if (isShown(list, sessionId)) return true
  const isForAll = !filters.chat && !filters.q
  return isForAll && (filters.agentId === undefined || filters.agentId === agentId)
}

const isShown = (list: RowList | undefined, sessionId: string | undefined): boolean =>
  sessionId !== undefined && list?.pages.some(page => page.ids.includes(sessionId)) === true

/** What happens in sessions, brought into everything that is cached about them. */

import type { QueryClient, QueryKey } from '@tanstack/react-query'
import { throttled } from '@/lib/throttle'
import type { ReviewChange } from './review-lists'
import { type SessionFilters, type SessionList, type SessionRow, withSession } from './session-lists'
import { type Timeline, withReview } from './session-timeline'
import { followOutgoing, readNewMessages, rereadTimelines, sessionKeys } from './sessions'

export type SessionNews = {
  sessionId: string
  action: string
  actorId: string
  row?: SessionRow | null
}

const LISTS_EVERY = 1_500
const SESSIONS_EVERY = 300

export type SessionsFollowed = {
  hear: (news: SessionNews) => void
  hearReview: (change: ReviewChange) => void
  anew: () => void
  stop: () => void
}

export function followSessions(client: QueryClient, countAgain: () => void): SessionsFollowed {
  const stopOutgoing = followOutgoing(client)
  let unsure = new Map<string, QueryKey>()
  let changed = new Set<string>()

  const listsAgain = throttled(() => {
    for (const queryKey of unsure.values()) void client.invalidateQueries({ queryKey, exact: true })
    unsure = new Map()
  }, LISTS_EVERY)
  const sessionsAgain = throttled(() => {
    for (const sessionId of changed)
      void client.invalidateQueries({ queryKey: sessionKeys.session(sessionId), exact: true })
    changed = new Set()
  }, SESSIONS_EVERY)

  const patchLists = (row: SessionRow | null | undefined) => {
    for (const { queryKey, state } of client.getQueryCache().findAll({ queryKey: sessionKeys.lists })) {
      const list = state.data as SessionList | undefined
      if (!list) continue
      const patched = row ? withSession(list, queryKey[2] as SessionFilters, row) : undefined
      if (patched === undefined) unsure.set(JSON.stringify(queryKey), queryKey)
      else if (patched !== list) client.setQueryData(queryKey, patched)
    }
    if (unsure.size > 0) listsAgain()
  }

  const readMessages = (sessionId: string) => {
    const query = client.getQueryCache().find({ queryKey: sessionKeys.timeline(sessionId), exact: true })
    if (!query) return
    if (query.isActive()) void readNewMessages(client, sessionId)
    // Nobody looks at it: it is read when somebody does.
    else void client.invalidateQueries({ queryKey: sessionKeys.timeline(sessionId), refetchType: 'none' })
  }

  return {
    hear: ({ sessionId, action, row }) => {
      if (action === 'session.message' || action === 'session.piece') readMessages(sessionId)
      if (action === 'session.piece') return
      changed.add(sessionId)
      sessionsAgain()
      if (action === 'session.typing' || action === 'session.working') return
      patchLists(row)
      countAgain()
    },
    hearReview: change => {
      for (const { queryKey, state } of client.getQueryCache().findAll({ queryKey: sessionKeys.timelines })) {
        const timeline = state.data as Timeline | undefined
        if (!timeline || (change.row !== null && change.row.sessionId !== queryKey[2])) continue
        const patched = withReview(timeline, change)
        if (patched !== timeline) client.setQueryData(queryKey, patched)
      }
      const sessionId = change.row?.sessionId
      if (sessionId === undefined) return
      changed.add(sessionId)
      sessionsAgain()
      // How many reviews of a session are open is in its row, which only the service counts.
      patchLists(null)
    },
    anew: () => rereadTimelines(client),
    stop: () => {
      stopOutgoing()
      listsAgain.cancel()
      sessionsAgain.cancel()
    },
  }
}

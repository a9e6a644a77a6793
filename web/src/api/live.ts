/** Live updates: applies the messages of the event stream to everything that is cached. */

import type { Query, QueryClient, QueryKey } from '@tanstack/react-query'
import { useSyncExternalStore } from 'react'
import { checkForNewVersion } from '@/lib/new-version'
import { throttle } from '@/lib/throttle'
import { API } from './client'
import type { ConnectionState } from './event-stream'
import { countsKey } from './inbox'
import { type SessionUpdate, startLiveSessions } from './live-sessions'
import { reviewKeys } from './review'
import type { ReviewFilters, ReviewRow } from './review-filters'
import {
  findOutdatedSearches,
  getListRules,
  getViewer,
  refetchLists,
  reviewListKeys,
  reviewRows,
} from './reviews'
import { type ListRules, type RowList, type RowStore, selectRows } from './row-store'
import { runKeys } from './runs'
import { type Me, meKey } from './session'
import { getSessionListRules, sessionRows } from './session-lists'
import { messageRows, sessionKeys } from './sessions'
import { openSharedEventStream } from './shared-event-stream'

export type PresentUser = { userId: string; name: string }

type LiveMessages = {
  hello: Record<string, never>
  reset: Record<string, never>
  review: { reviewId: string; action: string; actorId: string; row: ReviewRow | null }
  change: { action: string; objectId: string }
  presence: { reviews: Record<string, PresentUser[]> }
  session: SessionUpdate
}

/** A value outside of React that components can subscribe to. */
function createObservable<T>(first: T) {
  let value = first
  const listeners = new Set<() => void>()
  return {
    get: () => value,
    set: (next: T) => {
      if (next === value) return
      value = next
      for (const listener of listeners) listener()
    },
    subscribe: (listener: () => void) => {
      listeners.add(listener)
      return () => {
        listeners.delete(listener)
      }
    },
  }
}

const connectionState = createObservable<ConnectionState>('connecting')
const presence = createObservable<Readonly<Record<string, readonly PresentUser[]>>>({})
const NO_USERS: readonly PresentUser[] = []

/** Whether updates arrive. `offline` only after a delay: most broken connections come back quickly. */
export const useConnectionState = (): ConnectionState =>
  useSyncExternalStore(connectionState.subscribe, connectionState.get)

/** Who else has the review open. */
export const usePresence = (reviewId: string): readonly PresentUser[] =>
  useSyncExternalStore(presence.subscribe, () => presence.get()[reviewId] ?? NO_USERS)

export type ReviewUpdate = LiveMessages['review']

const reviewListeners = new Set<(news: ReviewUpdate) => void>()

/** Calls the listener for every change of a review. Returns a function that unsubscribes. */
export function subscribeToReviewUpdates(listener: (update: ReviewUpdate) => void): () => void {
  reviewListeners.add(listener)
  return () => {
    reviewListeners.delete(listener)
  }
}

/** Changes within this time are applied together. */
const BATCH_DELAY = 60
const COUNTS_INTERVAL = 400
const SEARCH_INTERVAL = 2_000

/** The query keys that an action in the audit log affects, by the prefix of its name. */
const KEYS_BY_ACTION: readonly (readonly [string, readonly QueryKey[]])[] = [
  // Chat permissions, and who is in a chat, depend on the agent.
  ['agent.', [['agents'], ['inbox', 'counts'], ['chats']]],
  ['form.', [['forms'], ['inbox', 'counts']]],
  ['group.', [['groups'], meKey, countsKey]],
  ['absence.', [['users'], meKey, countsKey]],
  ['user.', [['users']]],
  ['account.', [['account'], meKey]],
  ['key.', [['api-keys']]],
  ['delivery.', [['outgoing-messages']]],
  ['mail.', [['outgoing-messages']]],
  ['chat_post.', [['outgoing-messages']]],
  ['run.', [runKeys.all]],
]

/** These actions delete reviews, or change delegates or group members, which decide who a review is assigned to. */
const LIST_CHANGING_ACTIONS = ['agent.deleted', 'form.deleted', 'absence.', 'group.']

const getRoots = (keys: readonly QueryKey[]): ReadonlySet<unknown> => new Set(keys.map(([root]) => root))
/** The first elements of the query keys that live updates keep current. Other data, such as insights, is a snapshot. */
const LIVE_ROOTS = getRoots([
  meKey,
  countsKey,
  reviewKeys.root,
  runKeys.all,
  ...KEYS_BY_ACTION.flatMap(([, keys]) => keys),
])
/** Not all pages of these lists are refetched. */
const SEPARATELY_REFETCHED_ROOTS = getRoots([reviewListKeys.all, sessionKeys.all])

/**
 * Keeps everything cached current until the returned function is called. All tabs of a browser share one connection.
 */
export function startLiveUpdates(client: QueryClient): () => void {
  /** The rows of changed reviews; null: deleted. */
  const changed = new Map<string, ReviewRow | null>()
  let outdatedSearches: QueryKey[] = []
  let hasConnected = false
  let flushTimer: ReturnType<typeof setTimeout> | undefined

  const refetchCounts = throttle(() => client.invalidateQueries({ queryKey: countsKey }), COUNTS_INTERVAL)
  const sessions = startLiveSessions(client, refetchCounts)
  const refetchSearches = throttle(() => {
    for (const queryKey of outdatedSearches) client.invalidateQueries({ queryKey, exact: true })
    outdatedSearches = []
  }, SEARCH_INTERVAL)

  const flush = () => {
    flushTimer = undefined
    const changes = [...changed]
    changed.clear()
    // A deleted review no longer says which session and run it belonged to.
    const known = changes.map(([reviewId, row]) => row ?? reviewRows.get(reviewId))
    const rows = changes.flatMap(([, row]) => row ?? [])
    reviewRows.addChanges(rows)
    reviewRows.delete(changes.flatMap(([reviewId, row]) => (row === null ? [reviewId] : [])))
    dropUnshownRows(client)
    outdatedSearches.push(...findOutdatedSearches(client, rows))
    if (outdatedSearches.length > 0) refetchSearches()
    for (const row of known) sessions.handleReviewChange(row)
    for (const run of new Set(known.map(row => (row === undefined ? null : row.workflowRunId))))
      if (run !== undefined)
        client.invalidateQueries({ queryKey: run === null ? runKeys.all : runKeys.one(run) })
    for (const [reviewId] of changes) client.invalidateQueries({ queryKey: reviewKeys.all(reviewId) })
    refetchCounts()
  }

  const refetchAll = (isMeant: (query: Query) => boolean) => {
    refetchLists(client)
    sessions.refetchAll()
    client.invalidateQueries({
      predicate: query => !SEPARATELY_REFETCHED_ROOTS.has(query.queryKey[0]) && isMeant(query),
    })
  }

  const on: { [Event in keyof LiveMessages]: (data: LiveMessages[Event]) => void } = {
    hello: () => {
      // Data that was fetched before the connection opened may lack what happened in between.
      if (!hasConnected) refetchAll(({ queryKey }) => LIVE_ROOTS.has(queryKey[0]))
      // The connection broke and is back: the service may have been updated.
      else void checkForNewVersion()
      hasConnected = true
    },
    reset: () => {
      changed.clear()
      refetchAll(() => true)
    },
    review: update => {
      const { reviewId, row } = update
      for (const listener of reviewListeners) listener(update)
      changed.set(reviewId, row)
      flushTimer ??= setTimeout(flush, BATCH_DELAY)
    },
    change: ({ action, objectId }) => {
      for (const [beginning, keys] of KEYS_BY_ACTION) {
        if (!action.startsWith(beginning)) continue
        for (const queryKey of keys) client.invalidateQueries({ queryKey })
      }
      if (objectId === client.getQueryData<Me>(meKey)?.user.userId)
        client.invalidateQueries({ queryKey: meKey })
      if (LIST_CHANGING_ACTIONS.some(beginning => action.startsWith(beginning))) refetchLists(client)
    },
    presence: ({ reviews }) => {
      const me = client.getQueryData<Me>(meKey)?.user.userId
      presence.set(withoutCurrentUser(reviews, me))
    },
    session: sessions.handleMessage,
  }

  const close = openSharedEventStream({
    // All tabs share one cookie. If someone else signs in in one tab, the others still belong to the previous member.
    name: `signoff.live ${API} ${client.getQueryData<Me>(meKey)?.user.userId}`,
    retained: ['presence'],
    address: `${API}/live`,
    events: Object.keys(on),
    onMessage: (event, data) => on[event as keyof LiveMessages]?.(data as never),
    onState: connectionState.set,
    onRefused: () => client.invalidateQueries({ queryKey: meKey }),
  })

  return () => {
    close()
    clearTimeout(flushTimer)
    sessions.stop()
    refetchCounts.cancel()
    refetchSearches.cancel()
    presence.set({})
  }
}

/** Drops the rows that nothing in the cache shows, if they are many. A list that is being read may need any row. */
function dropUnshownRows(client: QueryClient): void {
  const me = client.getQueryData<Me>(meKey)
  const isLarge = [reviewRows, messageRows, sessionRows].some(store => store.isLarge)
  if (!me || !isLarge || client.isFetching() > 0) return
  const viewer = getViewer(me)
  const reviews = selectListed(client, reviewRows, reviewListKeys.all, (filters: ReviewFilters) =>
    getListRules(filters, viewer),
  )
  const sessions = selectListed(client, sessionRows, sessionKeys.lists, getSessionListRules)
  const isOpen = ({ sessionId }: { sessionId: string }) =>
    [sessionKeys.timeline(sessionId), sessionKeys.session(sessionId)].some(
      key => client.getQueryData(key) !== undefined,
    )
  reviewRows.keep(row => reviews.has(row) || isOpen(row))
  sessionRows.keep(row => sessions.has(row) || isOpen(row))
  messageRows.keep(isOpen)
}

/** The rows of all cached lists below this key. */
const selectListed = <Row, Filters>(
  client: QueryClient,
  store: RowStore<Row>,
  queryKey: QueryKey,
  getRules: (filters: Filters) => ListRules<Row>,
): ReadonlySet<Row> =>
  new Set(
    client
      .getQueriesData<RowList>({ queryKey })
      .flatMap(([key, list]) => selectRows(store, list?.pages ?? [], getRules(key[2] as Filters))),
  )

function withoutCurrentUser(
  reviews: Record<string, PresentUser[]>,
  me: string | undefined,
): Record<string, PresentUser[]> {
  const before = presence.get()
  return Object.fromEntries(
    Object.entries(reviews).map(([reviewId, people]) => {
      const others = people.filter(person => person.userId !== me)
      const known = before[reviewId] as PresentUser[] | undefined
      // Keep the same object for the same people, so that nothing renders again.
      return [reviewId, known && JSON.stringify(known) === JSON.stringify(others) ? known : others]
    }),
  )
}

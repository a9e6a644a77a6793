/** Live updates: applies the messages of the event stream to everything that is cached. */

import type { Query, QueryCacheNotifyEvent, QueryClient, QueryKey } from '@tanstack/react-query'
import { useSyncExternalStore } from 'react'
import { checkForNewVersion } from '@/lib/new-version'
import { throttle } from '@/lib/throttle'
import { API } from './client'
import type { ConnectionState } from './event-stream'
import { countsKey } from './inbox'
import { type SessionUpdate, startLiveSessions } from './live-sessions'
import { reviewKeys } from './review'
import type { ReviewRow } from './review-filters'
import type { ReviewChange } from './review-lists'
import { patchLists, refetchLists, reviewListKeys } from './reviews'
import { runKeys } from './runs'
import { type Me, meKey } from './session'
import { sessionKeys } from './sessions'
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
/** A list fetch that overlaps a change may return data from before the change. */
const RECENT_CHANGE_MS = 10_000

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
  ['delivery.', [['deliveries']]],
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
  const changed = new Map<string, ReviewChange>()
  const recent = new Map<string, { change: ReviewChange; at: number }>()
  let outdatedKeys: QueryKey[] = []
  let hasConnected = false
  let flushTimer: ReturnType<typeof setTimeout> | undefined

  const refetchCounts = throttle(() => client.invalidateQueries({ queryKey: countsKey }), COUNTS_INTERVAL)
  const sessions = startLiveSessions(client, refetchCounts)
  const refetchSearches = throttle(() => {
    for (const queryKey of outdatedKeys) client.invalidateQueries({ queryKey, exact: true })
    outdatedKeys = []
  }, SEARCH_INTERVAL)

  const flush = () => {
    flushTimer = undefined
    const now = Date.now()
    for (const [reviewId, { at }] of recent) if (now - at > RECENT_CHANGE_MS) recent.delete(reviewId)
    const changes = [...changed.values()]
    changed.clear()
    for (const change of changes) recent.set(change.reviewId, { change, at: now })
    patch(changes)
    for (const change of changes) sessions.handleReviewChange(change)
    // A deleted review no longer says which run it belonged to.
    for (const run of new Set(changes.map(({ row }) => (row === null ? null : row.workflowRunId))))
      if (run !== undefined)
        client.invalidateQueries({ queryKey: run === null ? runKeys.all : runKeys.one(run) })
    for (const { reviewId } of changes) client.invalidateQueries({ queryKey: reviewKeys.all(reviewId) })
    refetchCounts()
  }

  const refetchAll = (isMeant: (query: Query) => boolean) => {
    refetchLists(client)
    sessions.refetchAll()
    client.invalidateQueries({
      predicate: query => !SEPARATELY_REFETCHED_ROOTS.has(query.queryKey[0]) && isMeant(query),
    })
  }

  const patch = (changes: ReviewChange[]) => {
    const keys = patchLists(client, changes)
    if (keys.length === 0) return
    outdatedKeys.push(...keys)
    refetchSearches()
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
      changed.set(reviewId, { reviewId, row })
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

  const unsubscribe = client.getQueryCache().subscribe(event => {
    if (recent.size === 0) return
    const changes = () => [...recent.values()].map(({ change }) => change)
    // In a microtask, because the cache is still notifying its observers of the fetched list.
    if (wasFetched(event, reviewListKeys.all)) queueMicrotask(() => patch(changes()))
    if (wasFetched(event, sessionKeys.timelines)) queueMicrotask(() => sessions.reapplyChanges(changes()))
  })

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
    unsubscribe()
    clearTimeout(flushTimer)
    sessions.stop()
    refetchCounts.cancel()
    refetchSearches.cancel()
    presence.set({})
  }
}

/** Whether something below this key was fetched from the service rather than patched here. */
function wasFetched(event: QueryCacheNotifyEvent, [first, second]: readonly string[]): boolean {
  if (event.type !== 'updated' || event.action.type !== 'success' || event.action.manual) return false
  return event.query.queryKey[0] === first && event.query.queryKey[1] === second
}

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

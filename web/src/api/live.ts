/** What others do, as it happens: the live line's messages brought into everything that is cached. */

import type { Query, QueryCacheNotifyEvent, QueryClient, QueryKey } from '@tanstack/react-query'
import { useSyncExternalStore } from 'react'
import { lookForNewVersion } from '@/lib/new-version'
import { throttled } from '@/lib/throttle'
import { API } from './client'
import { countsKey } from './inbox'
import type { LineState } from './line'
import { followSessions, type SessionNews } from './live-sessions'
import { reviewKeys } from './review'
import type { ReviewRow } from './review-filters'
import type { ReviewChange } from './review-lists'
import { patchLists, rereadLists, reviewListKeys } from './reviews'
import { runKeys } from './runs'
import { type Me, meKey } from './session'
import { sessionKeys } from './sessions'
import { openSharedLine } from './shared-line'

export type Present = { userId: string; name: string }

type Messages = {
  hello: Record<string, never>
  reset: Record<string, never>
  review: { reviewId: string; action: string; actorId: string; row: ReviewRow | null }
  change: { action: string; objectId: string }
  presence: { reviews: Record<string, Present[]> }
  session: SessionNews
}

/** A value outside of React that components can watch. */
function observable<T>(first: T) {
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

const lineState = observable<LineState>('connecting')
const presence = observable<Readonly<Record<string, readonly Present[]>>>({})
const NOBODY: readonly Present[] = []

/** Whether changes arrive. `offline` only after a while: most lines that break come back at once. */
export const useLineState = (): LineState => useSyncExternalStore(lineState.subscribe, lineState.get)

/** Who else has the review open. */
export const usePresence = (reviewId: string): readonly Present[] =>
  useSyncExternalStore(presence.subscribe, () => presence.get()[reviewId] ?? NOBODY)

export type ReviewNews = Messages['review']

const reviewNews = new Set<(news: ReviewNews) => void>()

/** What happens to reviews, one by one, until the returned function is called. */
export function onReviewNews(listener: (news: ReviewNews) => void): () => void {
  reviewNews.add(listener)
  return () => {
    reviewNews.delete(listener)
  }
}

/** What happens within such a moment is shown at once. */
const MOMENT = 60
const COUNTS_EVERY = 400
const SEARCHES_EVERY = 2_000
/** A list that was being read while something changed may have been read before it changed. */
const REMEMBERED = 10_000

/** Which cached things an action in the audit log is about, by how its name begins. */
const ABOUT: readonly (readonly [string, readonly QueryKey[]])[] = [
  // Who may write in a session, and with whom it is, goes by the agent.
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

/** What goes with its reviews; and who stands in for whom, and who is in which group, decides about what is whose. */
const CHANGES_LISTS = ['agent.deleted', 'form.deleted', 'absence.', 'group.']

const roots = (keys: readonly QueryKey[]): ReadonlySet<unknown> => new Set(keys.map(([root]) => root))
/** What the line keeps true, by how its key begins. Other things, as insights, are as true as when they were read. */
const FOLLOWED = roots([
  meKey,
  countsKey,
  reviewKeys.every,
  runKeys.all,
  ...ABOUT.flatMap(([, keys]) => keys),
])
/** Of lists not all pages are read anew. */
const READ_ANEW_ELSEWHERE = roots([reviewListKeys.all, sessionKeys.all])

/** Keeps everything cached true until the returned function is called. One line for all pages of the browser. */
export function startLive(client: QueryClient): () => void {
  const changed = new Map<string, ReviewChange>()
  const recent = new Map<string, { change: ReviewChange; at: number }>()
  let unsure: QueryKey[] = []
  let greeted = false
  let flushing: ReturnType<typeof setTimeout> | undefined

  const countAgain = throttled(() => client.invalidateQueries({ queryKey: countsKey }), COUNTS_EVERY)
  const sessions = followSessions(client, countAgain)
  const searchAgain = throttled(() => {
    for (const queryKey of unsure) client.invalidateQueries({ queryKey, exact: true })
    unsure = []
  }, SEARCHES_EVERY)

  const flush = () => {
    flushing = undefined
    const now = Date.now()
    for (const [reviewId, { at }] of recent) if (now - at > REMEMBERED) recent.delete(reviewId)
    const changes = [...changed.values()]
    changed.clear()
    for (const change of changes) recent.set(change.reviewId, { change, at: now })
    patch(changes)
    for (const change of changes) sessions.hearReview(change)
    // A deleted review does not say any more which run it belonged to.
    for (const run of new Set(changes.map(({ row }) => (row === null ? null : row.workflowRunId))))
      if (run !== undefined)
        client.invalidateQueries({ queryKey: run === null ? runKeys.all : runKeys.one(run) })
    for (const { reviewId } of changes) client.invalidateQueries({ queryKey: reviewKeys.all(reviewId) })
    countAgain()
  }

  const everythingAnew = (isMeant: (query: Query) => boolean) => {
    rereadLists(client)
    sessions.anew()
    client.invalidateQueries({
      predicate: query => !READ_ANEW_ELSEWHERE.has(query.queryKey[0]) && isMeant(query),
    })
  }

  const patch = (changes: ReviewChange[]) => {
    const keys = patchLists(client, changes)
    if (keys.length === 0) return
    unsure.push(...keys)
    searchAgain()
  }

  const on: { [Event in keyof Messages]: (data: Messages[Event]) => void } = {
    hello: () => {
      // What was read before the line stood may lack what happened in between.
      if (!greeted) everythingAnew(({ queryKey }) => FOLLOWED.has(queryKey[0]))
      // The line broke and is back: perhaps the service was updated.
      else void lookForNewVersion()
      greeted = true
    },
    reset: () => {
      changed.clear()
      everythingAnew(() => true)
    },
    review: news => {
      const { reviewId, row } = news
      for (const listener of reviewNews) listener(news)
      changed.set(reviewId, { reviewId, row })
      flushing ??= setTimeout(flush, MOMENT)
    },
    change: ({ action, objectId }) => {
      for (const [beginning, keys] of ABOUT) {
        if (!action.startsWith(beginning)) continue
        for (const queryKey of keys) client.invalidateQueries({ queryKey })
      }
      if (objectId === client.getQueryData<Me>(meKey)?.user.userId)
        client.invalidateQueries({ queryKey: meKey })
      if (CHANGES_LISTS.some(beginning => action.startsWith(beginning))) rereadLists(client)
    },
    presence: ({ reviews }) => {
      const me = client.getQueryData<Me>(meKey)?.user.userId
      presence.set(othersIn(reviews, me))
    },
    session: sessions.hear,
  }

  const unsubscribe = client.getQueryCache().subscribe(event => {
    if (recent.size === 0) return
    const changes = () => [...recent.values()].map(({ change }) => change)
    // After this round, in which the cache is telling everybody about the list as it was read.
    if (isRead(event, reviewListKeys.all)) queueMicrotask(() => patch(changes()))
    if (isRead(event, sessionKeys.timelines)) queueMicrotask(() => sessions.hearAgain(changes()))
  })

  const close = openSharedLine({
    // The cookie is one for all pages; should somebody else sign in in one of them, the others are still the former's.
    name: `signoff.live ${API} ${client.getQueryData<Me>(meKey)?.user.userId}`,
    kept: ['presence'],
    address: `${API}/live`,
    events: Object.keys(on),
    onMessage: (event, data) => on[event as keyof Messages]?.(data as never),
    onState: lineState.set,
    onRefused: () => client.invalidateQueries({ queryKey: meKey }),
  })

  return () => {
    close()
    unsubscribe()
    clearTimeout(flushing)
    sessions.stop()
    countAgain.cancel()
    searchAgain.cancel()
    presence.set({})
  }
}

/** Something below this key came from the service, rather than being patched here. */
function isRead(event: QueryCacheNotifyEvent, [first, second]: readonly string[]): boolean {
  if (event.type !== 'updated' || event.action.type !== 'success' || event.action.manual) return false
  return event.query.queryKey[0] === first && event.query.queryKey[1] === second
}

function othersIn(reviews: Record<string, Present[]>, me: string | undefined): Record<string, Present[]> {
  const before = presence.get()
  return Object.fromEntries(
    Object.entries(reviews).map(([reviewId, people]) => {
      const others = people.filter(person => person.userId !== me)
      const known = before[reviewId] as Present[] | undefined
      // The same people stay the same object, so that nothing is drawn anew for them.
      return [reviewId, known && JSON.stringify(known) === JSON.stringify(others) ? known : others]
    }),
  )
}

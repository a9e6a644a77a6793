import {
  infiniteQueryOptions,
  type QueryClient,
  queryOptions,
  useInfiniteQuery,
  useMutation,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query'
import { useCallback, useMemo } from 'react'
import { randomId } from '@/lib/random'
import { ApiError, api, data, type Schemas } from './client'
import { classifyError } from './failures'
import { countsKey } from './inbox'
import { outgoingMessages } from './outgoing-messages'
import { getFirstPages, readPage, selectRows, startRead, useRow, useRows } from './row-store'
import {
  getActivity,
  getSessionListRules,
  type SessionFilters,
  type SessionRow,
  sessionRows,
  toSessionRow,
} from './session-lists'
import {
  findLastSettled,
  getMessages,
  isUnsettled,
  type Message,
  messageRows,
  storeTimelinePage,
  type Timeline,
  type TimelineItem,
} from './session-timeline'

export type { SessionFilters, SessionRow } from './session-lists'
export { type Message, messageRows, type TimelineItem, useTimelineItems } from './session-timeline'

export type Session = Schemas['Session']

const LIST_PAGE_SIZE = 50
const TIMELINE_PAGE_SIZE = 50
const MESSAGES_PAGE_SIZE = 100
/** Only this many of the newest messages are checked for pending deliveries. */
const LOOKED_AT = 40

export const sessionKeys = {
  all: ['chats'] as const,
  lists: ['chats', 'list'] as const,
  list: (filters: SessionFilters) => ['chats', 'list', filters] as const,
  session: (sessionId: string) => ['chats', 'session', sessionId] as const,
  timelines: ['chats', 'timeline'] as const,
  timeline: (sessionId: string) => ['chats', 'timeline', sessionId] as const,
}

const at = (sessionId: string) => ({ params: { path: { sessionId } } })

/** Sessions, newest activity first. Live updates keep the list current. */
export const sessionListQuery = (filters: SessionFilters) =>
  infiniteQueryOptions({
    queryKey: sessionKeys.list(filters),
    queryFn: ({ pageParam, signal }) =>
      readPage(sessionRows, getActivity, () =>
        data(
          api.GET('/sessions', {
            params: { query: { ...filters, cursor: pageParam, limit: LIST_PAGE_SIZE } },
            signal,
          }),
        ),
      ),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: page => page.nextCursor,
    refetchOnWindowFocus: false,
  })

/** A list of sessions with its current rows. `filters` should be stable. */
export function useSessionRows(filters: SessionFilters, enabled = true) {
  const query = useInfiniteQuery({ ...sessionListQuery(filters), enabled })
  const pages = query.data?.pages
  const select = useCallback(
    () => (pages ? selectRows(sessionRows, pages, getSessionListRules(filters)) : []),
    [pages, filters],
  )
  return { query, rows: useRows(sessionRows, select) }
}

/** The service doesn't report when a typing indicator expires. */
const TYPING_POLL_INTERVAL = 3_000
const WORKING_POLL_INTERVAL = 15_000

export const sessionQuery = (sessionId: string) =>
  queryOptions({
    queryKey: sessionKeys.session(sessionId),
    queryFn: async ({ signal }) => {
      const started = startRead()
      const session = await data(api.GET('/sessions/{sessionId}', { ...at(sessionId), signal }))
      sessionRows.addResponse([toSessionRow(session)], started)
      return session
    },
    refetchInterval: ({ state }) => {
      if (!state.data || state.error) return false
      if (state.data.typing.length > 0) return TYPING_POLL_INTERVAL
      return state.data.working ? WORKING_POLL_INTERVAL : false
    },
  })

/** A session with its current row, which live updates change before its details are refetched. */
export function useSession(sessionId: string | undefined) {
  const query = useQuery({ ...sessionQuery(sessionId ?? ''), enabled: sessionId !== undefined })
  const row = useRow(sessionRows, sessionId)
  const session = useMemo(() => query.data && { ...query.data, ...row }, [query.data, row])
  return { query, session }
}

/** Messages, reviews and trigger forms, newest first. Live updates keep it current. */
export const timelineQuery = (sessionId: string) =>
  infiniteQueryOptions({
    queryKey: sessionKeys.timeline(sessionId),
    queryFn: async ({ pageParam, signal }) => {
      const started = startRead()
      const page = await data(
        api.GET('/sessions/{sessionId}/timeline', {
          params: { path: { sessionId }, query: { before: pageParam, limit: TIMELINE_PAGE_SIZE } },
          signal,
        }),
      )
      return storeTimelinePage(page as { items: TimelineItem[]; nextCursor?: string | null }, started)
    },
    initialPageParam: undefined as string | undefined,
    getNextPageParam: page => page.messages.nextCursor,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  })

/** The first few sessions that match the search. */
export const findSessions = async (words: string, signal?: AbortSignal): Promise<SessionRow[]> =>
  (await data(api.GET('/sessions', { params: { query: { q: words, chat: true, limit: 5 } }, signal }))).items

/** Sessions whose messages are being fetched; true: another fetch has to follow. */
const activeReads = new Map<string, boolean>()

/** Delays before a failed fetch is retried while the session is open; after that, the next message triggers a fetch. */
const REREAD_DELAYS = [2_000, 5_000, 15_000, 30_000] as const
const rereadTimers = new Map<string, ReturnType<typeof setTimeout>>()

/**
 * Fetches new messages and those that may have changed. A call during a fetch makes it run once more, never twice at a
 * time.
 */
export async function readNewMessages(client: QueryClient, sessionId: string, failures = 0): Promise<void> {
  if (activeReads.has(sessionId)) {
    activeReads.set(sessionId, true)
    return
  }
  try {
    do {
      activeReads.set(sessionId, false)
      await fetchNewMessages(client, sessionId)
    } while (activeReads.get(sessionId))
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    // The timeline is marked as stale and refetched later.
    void client.invalidateQueries({ queryKey: sessionKeys.timeline(sessionId), refetchType: 'none' })
    if (classifyError(error).isTemporary) scheduleReread(client, sessionId, failures)
  } finally {
    activeReads.delete(sessionId)
  }
}

function scheduleReread(client: QueryClient, sessionId: string, failures: number): void {
  const pause = REREAD_DELAYS[failures]
  if (pause === undefined) return
  clearTimeout(rereadTimers.get(sessionId))
  const again = () => {
    rereadTimers.delete(sessionId)
    const query = client.getQueryCache().find({ queryKey: sessionKeys.timeline(sessionId), exact: true })
    if (query?.isActive()) void readNewMessages(client, sessionId, failures + 1)
  }
  rereadTimers.set(sessionId, setTimeout(again, pause))
}

const getCachedMessages = (client: QueryClient, sessionId: string): Message[] =>
  getMessages(sessionId, client.getQueryData<Timeline>(sessionKeys.timeline(sessionId)))

async function fetchNewMessages(client: QueryClient, sessionId: string): Promise<void> {
  let after = findLastSettled(getCachedMessages(client, sessionId))
  for (;;) {
    const started = startRead()
    const { items } = await data(
      api.GET('/sessions/{sessionId}/messages', {
        params: { path: { sessionId }, query: { after, limit: MESSAGES_PAGE_SIZE } },
      }),
    )
    messageRows.addResponse(items, started)
    if (after === undefined || items.length < MESSAGES_PAGE_SIZE) return
    after = items.at(-1)?.messageId
  }
}

/** Refetches timelines: a hidden one from its newest page, a visible one with all its loaded pages. */
export function refetchTimelines(client: QueryClient): void {
  client.setQueriesData<Timeline>(
    { queryKey: sessionKeys.timelines, type: 'inactive' },
    timeline => timeline && getFirstPages(timeline, 1),
  )
  void client.invalidateQueries({ queryKey: sessionKeys.all })
}

/** The account's feed doesn't report deliveries to the agent, so an open delivery is polled. */
export const hasUnsettledDelivery = (messages: readonly Message[]): boolean =>
  messages.slice(0, LOOKED_AT).some(message => message.delivery !== undefined && isUnsettled(message))

/** The number of the newest message that is cached. */
export const newestNumber = (client: QueryClient, sessionId: string): number =>
  getCachedMessages(client, sessionId)[0]?.number ?? 0

/** Adds a sent message to the timeline before it leaves the queue. */
export const subscribeToSentMessages = (client: QueryClient): (() => void) =>
  outgoingMessages.onArrival(({ sessionId }, message) => {
    messageRows.addChanges([message])
    void client.invalidateQueries({ queryKey: sessionKeys.session(sessionId) })
  })

function storeSession(client: QueryClient, session: Session): void {
  sessionRows.addChanges([toSessionRow(session)])
  client.setQueryData(sessionKeys.session(session.sessionId), session)
}

/** An ID for a session that starts with its first message, so that retries create it only once. */
export const newSessionId = (): string => `ses_${randomId()}`

/** Starts a session. Calling it again with the same ID returns the same session. */
export function useStartSession() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (session: { agentId: string; sessionId: string }) =>
      data(api.POST('/sessions', { body: session as Schemas['NewSession'] })),
    onSuccess: session => {
      storeSession(client, session)
      client.setQueryData<Timeline>(sessionKeys.timeline(session.sessionId), {
        pages: [storeTimelinePage({ items: [] }, startRead())],
        pageParams: [undefined],
      })
    },
  })
}

export function useRenameSession(sessionId: string) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (name: string) =>
      data(api.PATCH('/sessions/{sessionId}', { ...at(sessionId), body: { name } })),
    onSuccess: session => storeSession(client, session),
  })
}

/** Marks everything up to a message as read, in the page first and then in the service. */
export async function markRead(client: QueryClient, sessionId: string, messageId: string): Promise<void> {
  const row = sessionRows.get(sessionId)
  if (row) sessionRows.addChanges([{ ...row, unread: 0 }])
  await api.PUT('/sessions/{sessionId}/read', { ...at(sessionId), body: { messageId } })
  await client.invalidateQueries({ queryKey: countsKey })
}

/** Tells others that the member is typing. Failures don't matter. */
export async function sendTyping(sessionId: string): Promise<void> {
  try {
    await api.PUT('/sessions/{sessionId}/typing', at(sessionId))
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
  }
}

/** Retries the delivery of a message to the agent. */
export function useRedeliver(sessionId: string) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: async (message: Message) => {
      const deliveryId = message.delivery?.deliveryId ?? ''
      await api.POST('/webhooks/deliveries/{deliveryId}/retry', { params: { path: { deliveryId } } })
      const delivery = { deliveryId, status: 'pending' as const }
      messageRows.addChanges([{ ...message, delivery }])
    },
    onSettled: () => readNewMessages(client, sessionId),
  })
}

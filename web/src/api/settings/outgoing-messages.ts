import { infiniteQueryOptions, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { api, data, inPageLanguage, type Schemas } from '../client'
import type { paths } from '../schema'

export type OutgoingMessageRow = Schemas['OutgoingMessageRow']
export type OutgoingMessage = Schemas['OutgoingMessage']
export type MessageAction = OutgoingMessageRow['actions'][number]
export type MessageOutcome = Schemas['MessageOutcome']
export type Delivery = Schemas['Delivery']
export type MessageFilters = Omit<
  NonNullable<paths['/outgoingMessages']['get']['parameters']['query']>,
  'cursor' | 'limit'
>

const messagesKey = ['outgoing-messages'] as const
const COUNTED = 100

const isUnderWay = ({ state }: OutgoingMessageRow) => state === 'queued' || state === 'sending'

const inReadersLanguage = <T extends OutgoingMessageRow>(message: T): T => ({
  ...message,
  subject: inPageLanguage(message.subject),
})

export const allMessagesQuery = (filters: MessageFilters) =>
  infiniteQueryOptions({
    queryKey: [...messagesKey, 'account', filters],
    queryFn: async ({ pageParam, signal }) => {
      const query = { ...filters, cursor: pageParam, limit: 50 }
      const page = await data(api.GET('/outgoingMessages', { params: { query }, signal }))
      return { ...page, items: page.items.map(inReadersLanguage) }
    },
    initialPageParam: undefined as string | undefined,
    getNextPageParam: page => page.nextCursor ?? undefined,
    // While a message in the list is in progress. Not for a long list, which would be refetched page by page.
    refetchInterval: query => {
      const pages = query.state.data?.pages ?? []
      return pages.length <= 2 && pages.some(page => page.items.some(isUnderWay)) ? 5_000 : false
    },
  })

/** How many emails are in a state, as a short text: there may be more than are counted. */
export const mailCountQuery = (state: 'failed' | 'unclear') =>
  queryOptions({
    queryKey: [...messagesKey, 'count', state],
    queryFn: ({ signal }) =>
      data(
        api.GET('/outgoingMessages', {
          params: { query: { channel: 'mail', state, limit: COUNTED } },
          signal,
        }),
      ),
    select: page => ({ count: page.items.length, more: page.nextCursor !== null }),
  })

export const messageQuery = (messageId: string) =>
  queryOptions({
    queryKey: [...messagesKey, 'one', messageId],
    queryFn: async ({ signal }) =>
      inReadersLanguage(
        await data(api.GET('/outgoingMessages/{messageId}', { params: { path: { messageId } }, signal })),
      ),
    // A message in progress is polled.
    refetchInterval: query => {
      const message = query.state.data
      if (!message || !isUnderWay(message)) return false
      return message.state === 'queued' && message.attemptCount > 0 ? 5_000 : 1_000
    },
  })

/** What only webhook deliveries have, such as the endpoint's full URL. */
export const deliveryQuery = (deliveryId: string) =>
  queryOptions({
    queryKey: [...messagesKey, 'delivery', deliveryId],
    queryFn: ({ signal }) =>
      data(api.GET('/webhooks/deliveries/{deliveryId}', { params: { path: { deliveryId } }, signal })),
  })

/** The exact bytes of the event, which its signature covers. */
export const deliveryEventQuery = (deliveryId: string) =>
  queryOptions({
    queryKey: [...messagesKey, 'event', deliveryId],
    queryFn: async ({ signal }) =>
      (await data(
        api.GET('/webhooks/deliveries/{deliveryId}/event', {
          params: { path: { deliveryId } },
          parseAs: 'text',
          signal,
        }),
      )) as string,
  })

/** Retries or cancels several messages, and resolves with the result of each. */
export function useMessageAction() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: async ({ action, messageIds }: { action: MessageAction; messageIds: string[] }) =>
      (await data(api.POST(`/outgoingMessages/${action}`, { body: { messageIds } }))).items.map(outcome => ({
        ...outcome,
        error: outcome.error && inPageLanguage(outcome.error),
      })),
    onSettled: () => client.invalidateQueries({ queryKey: messagesKey }),
  })
}

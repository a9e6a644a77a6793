import { infiniteQueryOptions, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { api, data, inPageLanguage, type Schemas } from '../client'
import type { paths } from '../schema'

export type DeliveryRow = Schemas['DeliveryRow']
export type Delivery = Schemas['Delivery']
export type DeliveryOutcome = Schemas['DeliveryOutcome']
export type DeliveryFilters = Omit<
  NonNullable<paths['/webhooks/deliveries']['get']['parameters']['query']>,
  'cursor' | 'limit'
>

const deliveriesKey = ['deliveries'] as const
const SETTLED_STATUSES: readonly DeliveryRow['status'][] = ['succeeded', 'dead']

export const allDeliveriesQuery = (filters: DeliveryFilters) =>
  infiniteQueryOptions({
    queryKey: [...deliveriesKey, 'account', filters],
    queryFn: ({ pageParam, signal }) =>
      data(
        api.GET('/webhooks/deliveries', {
          params: { query: { ...filters, cursor: pageParam, limit: 50 } },
          signal,
        }),
      ),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: page => page.nextCursor ?? undefined,
    // While a delivery in the list is in progress. Not for a long list, which would be refetched page by page.
    refetchInterval: query => {
      const pages = query.state.data?.pages ?? []
      const underWay = pages.some(page => page.items.some(row => !SETTLED_STATUSES.includes(row.status)))
      return underWay && pages.length <= 2 ? 5_000 : false
    },
  })

export const deliveryQuery = (deliveryId: string) =>
  queryOptions({
    queryKey: [...deliveriesKey, 'one', deliveryId],
    queryFn: ({ signal }) =>
      data(api.GET('/webhooks/deliveries/{deliveryId}', { params: { path: { deliveryId } }, signal })),
    // A delivery in progress is polled.
    refetchInterval: query => {
      const status = query.state.data?.status
      return status === 'pending' || status === 'delivering' ? 1_000 : status === 'retrying' ? 5_000 : false
    },
  })

/** The exact bytes of the event, which its signature covers. */
export const deliveryEventQuery = (deliveryId: string) =>
  queryOptions({
    queryKey: [...deliveriesKey, 'event', deliveryId],
    queryFn: async ({ signal }) =>
      (await data(
        api.GET('/webhooks/deliveries/{deliveryId}/event', {
          params: { path: { deliveryId } },
          parseAs: 'text',
          signal,
        }),
      )) as string,
  })

/** Retries or stops several deliveries, and resolves with the result of each. */
export function useBulkDeliveryAction() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: async ({ act, deliveryIds }: { act: 'retry' | 'cancel'; deliveryIds: string[] }) =>
      (await data(api.POST(`/webhooks/deliveries/${act}`, { body: { deliveryIds } }))).items.map(outcome => ({
        ...outcome,
        error: outcome.error && inPageLanguage(outcome.error),
      })),
    onSettled: () => client.invalidateQueries({ queryKey: deliveriesKey }),
  })
}

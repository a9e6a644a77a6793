import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { api, data, type Schemas } from './client'
import { reviewKeys } from './review'

export type DeliveryRow = Schemas['DeliveryRow']
export type Delivery = Schemas['Delivery']
export type Attempt = Schemas['Attempt']

/** Poll interval while an attempt is running: attempts aren't in the account's feed. */
const POLL_INTERVAL = 2_000

export const isSettled = (delivery: Pick<DeliveryRow, 'status'>): boolean =>
  delivery.status === 'succeeded' || delivery.status === 'dead'

export const deliveryKeys = {
  one: (reviewId: string, deliveryId: string) => [...reviewKeys.deliveries(reviewId), deliveryId] as const,
  event: (deliveryId: string) => ['delivery-event', deliveryId] as const,
}

export const deliveryQueries = {
  ofReview: (reviewId: string) =>
    queryOptions({
      queryKey: reviewKeys.deliveries(reviewId),
      queryFn: async ({ signal }) =>
        (await data(api.GET('/webhooks/deliveries', { params: { query: { reviewId, limit: 200 } }, signal })))
          .items,
      refetchInterval: query => (query.state.data?.every(isSettled) === false ? POLL_INTERVAL : false),
    }),
  one: (reviewId: string, deliveryId: string) =>
    queryOptions({
      queryKey: deliveryKeys.one(reviewId, deliveryId),
      queryFn: ({ signal }) =>
        data(api.GET('/webhooks/deliveries/{deliveryId}', { params: { path: { deliveryId } }, signal })),
      refetchInterval: query => (query.state.data && !isSettled(query.state.data) ? POLL_INTERVAL : false),
    }),
  /** As text, byte for byte as it is posted. */
  event: (deliveryId: string) =>
    queryOptions({
      queryKey: deliveryKeys.event(deliveryId),
      queryFn: ({ signal }) =>
        data(
          api.GET('/webhooks/deliveries/{deliveryId}/event', {
            params: { path: { deliveryId } },
            parseAs: 'text',
            signal,
          }),
        ),
    }),
}

/** Retries a delivery now, or stops its automatic retries. */
export function useDeliveryAction(reviewId: string, deliveryId: string) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (order: 'retry' | 'cancel') => {
      const params = { path: { deliveryId } }
      return data(
        order === 'retry'
          ? api.POST('/webhooks/deliveries/{deliveryId}/retry', { params })
          : api.POST('/webhooks/deliveries/{deliveryId}/cancel', { params }),
      )
    },
    onSuccess: delivery => client.setQueryData(deliveryKeys.one(reviewId, deliveryId), delivery),
    onSettled: () =>
      Promise.all([
        client.invalidateQueries({ queryKey: reviewKeys.deliveries(reviewId) }),
        client.invalidateQueries({ queryKey: reviewKeys.history(reviewId) }),
      ]),
  })
}

import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { api, data, type Schemas } from './client'
import type { ReviewFilters } from './review-filters'

export type Counts = Schemas['Counts']
export type SavedView = Schemas['View']

export const countsKey = ['inbox', 'counts'] as const
const viewsKey = ['inbox', 'views'] as const

/** The number of reviews in each view. Live updates refetch it when something changes. */
export const countsQuery = queryOptions({
  queryKey: countsKey,
  queryFn: async ({ signal }): Promise<Counts> => {
    const counts = await data(api.GET('/inbox/counts', { signal }))
    // While a new version is deployed, an old API process doesn't know chats, or which counts are incomplete.
    return { ...counts, chat: counts.chat ?? { unread: 0 }, incomplete: counts.incomplete ?? [] }
  },
})

export const savedViewsQuery = queryOptions({
  queryKey: viewsKey,
  queryFn: async ({ signal }) => (await data(api.GET('/inbox/views', { signal }))).items,
})

function useInvalidateViews() {
  const client = useQueryClient()
  return () => {
    client.invalidateQueries({ queryKey: countsKey })
    return client.invalidateQueries({ queryKey: viewsKey })
  }
}

export function useSaveView() {
  const changed = useInvalidateViews()
  return useMutation({
    mutationFn: (view: { name: string; filters: ReviewFilters }) =>
      data(api.POST('/inbox/views', { body: view })),
    onSuccess: changed,
  })
}

export function useUpdateView(viewId: string) {
  const changed = useInvalidateViews()
  return useMutation({
    mutationFn: (change: { name?: string; filters?: ReviewFilters }) =>
      data(
        api.PATCH('/inbox/views/{viewId}', {
          params: { path: { viewId } },
          // Settings that are left out don't change.
          body: change as Schemas['ViewChange'],
        }),
      ),
    onSuccess: changed,
  })
}

export function useDeleteView() {
  const changed = useInvalidateViews()
  return useMutation({
    mutationFn: (viewId: string) => api.DELETE('/inbox/views/{viewId}', { params: { path: { viewId } } }),
    onSuccess: changed,
  })
}

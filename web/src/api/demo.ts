import { queryOptions, useMutation } from '@tanstack/react-query'
import { leaveUnasked } from '@/lib/leaving'
import { api, data, type Schemas } from './client'

export type Demo = Schemas['DemoState']

const SOON = 1_500

/** Whether this is a demo workspace. Looked at again only while it is being filled. */
export const demoQuery = queryOptions({
  queryKey: ['demo'],
  queryFn: ({ signal }) => data(api.GET('/demo', { signal })),
  staleTime: Number.POSITIVE_INFINITY,
  refetchInterval: ({ state }) => (state.data?.state === 'filling' ? SOON : false),
})

/** Empties the workspace. Nothing of what this page has read is true any more, so it is loaded anew. */
export function useRemoveDemo() {
  return useMutation({
    mutationFn: () => data(api.DELETE('/demo')),
    onSuccess: () => leaveUnasked(document.baseURI),
  })
}

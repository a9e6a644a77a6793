import { queryOptions, useMutation } from '@tanstack/react-query'
import { leavePage } from '@/lib/page-exit'
import { ApiError, api, data, type Schemas } from './client'

export type Demo = Schemas['DemoState']

const POLL_INTERVAL = 1_500

/** Whether this is a demo workspace. Polled only while the demo is being set up. */
export const demoQuery = queryOptions({
  queryKey: ['demo'],
  queryFn: ({ signal }) => data(api.GET('/demo', { signal })),
  staleTime: 60_000,
  refetchInterval: ({ state }) => (state.data?.state === 'filling' ? POLL_INTERVAL : false),
})

/** Removes the demo. Most cached data is gone then, so the page reloads. */
export function useRemoveDemo() {
  return useMutation({
    mutationFn: () => data(api.DELETE('/demo')),
    onSuccess: () => leavePage(document.baseURI),
    // Someone else removed it first.
    onError: error => error instanceof ApiError && error.code === 'no_demo' && leavePage(document.baseURI),
  })
}

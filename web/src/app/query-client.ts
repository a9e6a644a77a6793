import { MutationCache, QueryCache } from '@tanstack/react-query'
import { ApiError, isStatus } from '@/api/client'
import { AttentiveQueryClient } from '@/api/query-client'
import { meKey } from '@/api/session'
import { leaveUnasked } from '@/lib/leaving'

/** Somebody whose sign-in has ended goes to the sign-in page, and from there back to where they were. */
function onError(error: unknown) {
  if (isStatus(error, 401) && queryClient.getQueryData(meKey) !== undefined)
    leaveUnasked(signInAddress(location.href))
}

export function signInAddress(next: string): string {
  const here = new URL(next)
  const address = new URL('sign-in', document.baseURI)
  address.searchParams.set('next', here.pathname + here.search)
  return address.href
}

/** A refusal is an answer; only what may pass by itself is asked again. */
const mayPass = (error: unknown) => !(error instanceof ApiError) || error.status === 0 || error.status >= 500

export const queryClient = new AttentiveQueryClient({
  queryCache: new QueryCache({ onError }),
  mutationCache: new MutationCache({ onError }),
  defaultOptions: {
    queries: {
      staleTime: 30_000,
      gcTime: 10 * 60_000,
      retry: (times, error) => times < 3 && mayPass(error),
      refetchOnWindowFocus: true,
    },
    mutations: { retry: false },
  },
})

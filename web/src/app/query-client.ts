import { ApiError } from '@/api/client'
import { AttentiveQueryClient } from '@/api/query-client'

/** A refusal is an answer; only what may pass by itself is asked again. */
const mayPass = (error: unknown) => !(error instanceof ApiError) || error.status === 0 || error.status >= 500

export const queryClient = new AttentiveQueryClient({
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

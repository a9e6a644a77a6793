import { ApiError } from '@/api/client'
import { RefetchingQueryClient } from '@/api/query-client'

/** Refusals are final; only temporary errors are retried. */
const isRetryable = (error: unknown) =>
  !(error instanceof ApiError) || error.status === 0 || error.status >= 500

export const queryClient = new RefetchingQueryClient({
  defaultOptions: {
    queries: {
      staleTime: 30_000,
      gcTime: 10 * 60_000,
      retry: (times, error) => times < 3 && isRetryable(error),
      refetchOnWindowFocus: true,
    },
    mutations: { retry: false },
  },
})

import { ApiError } from '@/api/client'
import { RefetchingQueryClient } from '@/api/query-client'
import { getRetryAfter, getRetryDelay, isRetryable } from '@/api/retry-delays'
import { blockReloads } from '@/lib/page-exit'

const RETRY_DELAYS = [1_000, 2_000, 4_000]
/** If the service asks for a longer wait, the page says so instead. */
const MAX_RETRY_AFTER = 5_000

export const queryClient = new RefetchingQueryClient({
  defaultOptions: {
    queries: {
      staleTime: 30_000,
      gcTime: 10 * 60_000,
      retry: (failures, error) =>
        failures < RETRY_DELAYS.length &&
        (!(error instanceof ApiError) || (isRetryable(error) && getRetryAfter(error) <= MAX_RETRY_AFTER)),
      retryDelay: (failures, error) =>
        error instanceof ApiError
          ? getRetryDelay(error, failures + 1, RETRY_DELAYS)
          : (RETRY_DELAYS[failures] ?? 0),
      refetchOnWindowFocus: true,
    },
    mutations: { retry: false },
  },
})

blockReloads(() => queryClient.isMutating() > 0)

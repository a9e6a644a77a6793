import { classifyError, getRetryDelay } from '@/api/failures'
import { RefetchingQueryClient } from '@/api/query-client'
import { blockReloads } from '@/lib/page-exit'

const RETRY_DELAYS = [1_000, 2_000, 4_000]
/** If the service asks for a longer wait, the page says so instead. */
const MAX_RETRY_AFTER = 5_000

export const queryClient = new RefetchingQueryClient({
  defaultOptions: {
    queries: {
      staleTime: 30_000,
      gcTime: 10 * 60_000,
      retry: (failures, thrown) => {
        const { isTemporary, retryAfter } = classifyError(thrown)
        return failures < RETRY_DELAYS.length && isTemporary && retryAfter <= MAX_RETRY_AFTER
      },
      retryDelay: (failures, thrown) => getRetryDelay(classifyError(thrown), failures + 1, RETRY_DELAYS),
      refetchOnWindowFocus: true,
    },
    mutations: { retry: false },
  },
})

blockReloads(() => queryClient.isMutating() > 0)

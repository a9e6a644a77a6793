import { keepPreviousData, useQuery } from '@tanstack/react-query'
import type { reviewQueries } from '@/api/review'

/** The suggestion; while that of a new revision is loading, the one on screen. */
export function useShownSuggestion(options: ReturnType<typeof reviewQueries.suggestion>) {
  const query = useQuery({ ...options, placeholderData: keepPreviousData })
  const { data, error, refetch, isPlaceholderData } = query
  return { data, error, refetch, isOfOther: isPlaceholderData }
}

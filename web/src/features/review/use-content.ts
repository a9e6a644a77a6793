import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import type { Review, reviewQueries } from '@/api/review'
import type { FormDefinition, Suggestion } from '@/form'
import type { Content } from './edit'
import { useShownSuggestion } from './use-shown-suggestion'

type Queries = Pick<typeof reviewQueries, 'form' | 'suggestion'>

/**
 * The review type and the agent's suggestion. `content` has both once they belong to the review's current revision, so
 * that an edit can start on it.
 */
export function useContent(queries: Queries, review: Review) {
  const form = useQuery(queries.form(review))
  const suggestion = useShownSuggestion(queries.suggestion(review.reviewId, review.revision))
  const definition = form.data as FormDefinition | undefined
  const suggested = suggestion.data as (Suggestion & { revision: number }) | undefined
  const trigger = review.trigger === true
  const content = useMemo(
    (): Content | null =>
      definition && suggested && !suggestion.isOfOther
        ? { form: definition, suggestion: suggested, revision: suggested.revision, trigger }
        : null,
    [definition, suggested, suggestion.isOfOther, trigger],
  )
  const reread = () => void Promise.all([form.refetch(), suggestion.refetch()])
  return { definition, suggested, content, error: form.error ?? suggestion.error, reread }
}

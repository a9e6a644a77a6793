import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { checkQuery } from '@/api/forms/queries'
import type { EditorDocument, WrittenForm } from '../document/types'
import { type Checked, getIssues, NOT_CHECKED } from './issues'
import { useDebounced } from './use-debounced'

/** The service's check of the document while it's edited. */
export function useChecks(
  document: EditorDocument,
  written: WrittenForm,
  formId: string | null,
  enabled: boolean,
): Checked {
  const now = useMemo(() => ({ text: JSON.stringify(written), written, document }), [written, document])
  const later = useDebounced(now, 350)
  const answer = useQuery({ ...checkQuery(later.text, formId), enabled })
  return useMemo(() => {
    const isChecking = enabled && (later !== now || answer.isFetching)
    const retry = enabled && answer.isError && !isChecking ? () => void answer.refetch() : null
    if (!enabled || answer.data === undefined) return { ...NOT_CHECKED, isChecking, retry }
    const issues = getIssues(answer.data, later.written, later.document)
    return {
      issues,
      errors: issues.filter(issue => issue.severity === 'error').length,
      warnings: issues.filter(issue => issue.severity === 'warning').length,
      changes: answer.data.changes,
      isChecking,
      retry,
    }
  }, [answer.data, answer.isFetching, answer.isError, answer.refetch, later, now, enabled])
}

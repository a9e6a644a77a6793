/** Maps the errors of a response to the fields of a form. */

import { t } from '@lingui/core/macro'
import { toSentence } from '@/lib/i18n'
import { ApiError, type ErrorDetail } from './client'

const matchesPath = (detail: ErrorDetail, path: string) =>
  detail.path === path || detail.path.startsWith(`${path}.`) || detail.path.startsWith(`${path}[`)

const getErrorDetails = (error: unknown): readonly ErrorDetail[] =>
  error instanceof ApiError ? error.errors : []

/** The error for the body member at this path. */
export function getFieldError(error: unknown, path: string): string | null {
  const found = getErrorDetails(error).filter(detail => matchesPath(detail, path))
  return found.length ? found.map(detail => toSentence(detail.message)).join(' ') : null
}

/** The errors that aren't shown at one of the fields with these paths. */
export function getFormError(error: unknown, paths: readonly string[]): string | null {
  if (!error) return null
  const details = getErrorDetails(error)
  if (details.length === 0)
    return error instanceof Error ? error.message : t`Something went wrong. Try again.`
  const others = details.filter(detail => !paths.some(path => matchesPath(detail, path)))
  return others.length ? others.map(detail => `${detail.path}: ${detail.message}`).join('\n') : null
}

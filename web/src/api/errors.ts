/** Maps the errors of a response to the fields of a form. */

import { t } from '@lingui/core/macro'
import { toSentence } from '@/lib/i18n'
import { ApiError, type ErrorDetail } from './client'

const matchesPath = (fault: ErrorDetail, path: string) =>
  fault.path === path || fault.path.startsWith(`${path}.`) || fault.path.startsWith(`${path}[`)

const getErrorDetails = (error: unknown): readonly ErrorDetail[] =>
  error instanceof ApiError ? error.errors : []

/** The error for the body member at this path. */
export function getFieldError(error: unknown, path: string): string | null {
  const found = getErrorDetails(error).filter(fault => matchesPath(fault, path))
  return found.length ? found.map(fault => toSentence(fault.message)).join(' ') : null
}

/** The errors that aren't shown at one of the fields with these paths. */
export function getFormError(error: unknown, paths: readonly string[]): string | null {
  if (!error) return null
  const faults = getErrorDetails(error)
  if (faults.length === 0) return error instanceof Error ? error.message : t`Something went wrong. Try again.`
  const others = faults.filter(fault => !paths.some(path => matchesPath(fault, path)))
  return others.length ? others.map(fault => `${fault.path}: ${fault.message}`).join('\n') : null
}

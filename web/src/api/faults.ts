/** Where in a form an answer's faults belong. */

import { t } from '@lingui/core/macro'
import { sentence } from '@/lib/i18n'
import { ApiError, type Fault } from './client'

const isAt = (fault: Fault, path: string) =>
  fault.path === path || fault.path.startsWith(`${path}.`) || fault.path.startsWith(`${path}[`)

const faultsOf = (error: unknown): readonly Fault[] => (error instanceof ApiError ? error.faults : [])

/** What is wrong with the member of the body at this path. */
export function faultAt(error: unknown, path: string): string | null {
  const found = faultsOf(error).filter(fault => isAt(fault, path))
  return found.length ? found.map(fault => sentence(fault.message)).join(' ') : null
}

/** What is wrong and is not shown at one of the fields with these paths. */
export function faultElsewhere(error: unknown, paths: readonly string[]): string | null {
  if (!error) return null
  const faults = faultsOf(error)
  if (faults.length === 0) return error instanceof Error ? error.message : t`Something went wrong. Try again.`
  const others = faults.filter(fault => !paths.some(path => isAt(fault, path)))
  return others.length ? others.map(fault => `${fault.path}: ${fault.message}`).join('\n') : null
}

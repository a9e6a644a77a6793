import { t } from '@lingui/core/macro'
import type { Definition } from '@/api/forms/types'
import { formatNumber } from '@/lib/i18n'

/** The server's default limit, and far more than any review type needs. */
export const MAX_BYTES = 25 * 1024 * 1024

export const otherKind = (): string => t`This file isn't a review type. Choose a file exported from Signoff.`

export type Chosen = { held: Definition; error: null } | { held: null; error: string }

const size = () => formatNumber(MAX_BYTES / 1024 / 1024, { style: 'unit', unit: 'megabyte' })

const getFileProblem = (error: string): Chosen => ({ held: null, error })

/** The content of a chosen file, or why it can't be a review type. A file that is too large isn't read. */
export async function readImportFile(file: File): Promise<Chosen> {
  if (file.size > MAX_BYTES)
    return getFileProblem(t`This file is too large. The maximum size is ${{ size: size() }}.`)
  let held: unknown
  try {
    held = JSON.parse(await file.text())
  } catch (error) {
    return getFileProblem(
      error instanceof SyntaxError
        ? t`This file doesn't contain valid JSON.`
        : t`We couldn't read this file. It may have been moved or changed. Choose it again.`,
    )
  }
  if (typeof held !== 'object' || held === null || Array.isArray(held)) return getFileProblem(otherKind())
  return { held: held as Definition, error: null }
}

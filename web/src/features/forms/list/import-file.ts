import { t } from '@lingui/core/macro'
import type { Definition } from '@/api/forms/types'
import { formatNumber } from '@/lib/i18n'

/** The server's default limit, and far more than any review type needs. */
export const MAX_BYTES = 25 * 1024 * 1024

export const getNotReviewTypeText = (): string =>
  t`This file doesn't contain a review type. Choose a file exported from Signoff.`

export type ImportResult = { definition: Definition; error: null } | { definition: null; error: string }

const formatMaxSize = () => formatNumber(MAX_BYTES / 1024 / 1024, { style: 'unit', unit: 'megabyte' })

const createFailure = (error: string): ImportResult => ({ definition: null, error })

/** The content of a chosen file, or why it can't be a review type. A file that is too large isn't read. */
export async function readImportFile(file: File): Promise<ImportResult> {
  if (file.size > MAX_BYTES)
    return createFailure(t`This file is too large. The maximum size is ${{ size: formatMaxSize() }}.`)
  let definition: unknown
  try {
    definition = JSON.parse(await file.text())
  } catch (error) {
    return createFailure(
      error instanceof SyntaxError
        ? t`This file doesn't contain valid JSON.`
        : t`We couldn't read this file. It may have been moved or changed. Choose it again.`,
    )
  }
  if (typeof definition !== 'object' || definition === null || Array.isArray(definition))
    return createFailure(getNotReviewTypeText())
  return { definition: definition as Definition, error: null }
}

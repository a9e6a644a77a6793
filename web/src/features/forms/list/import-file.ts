import type { Definition } from '@/api/forms/types'

/** As much as the service takes unless it is told otherwise; far more than any review type needs. */
export const MOST_BYTES = 25 * 1024 * 1024

export const OTHER_KIND = 'This is no review type: choose a file that was made with Export.'

export type Chosen = { held: Definition; fault: null } | { held: null; fault: string }

const wrong = (fault: string): Chosen => ({ held: null, fault })

/** What a chosen file holds, or why it cannot be a review type. Nothing too large is even read. */
export async function readChosen(file: File): Promise<Chosen> {
  if (file.size > MOST_BYTES) return wrong('This file is too large for a review type: 25 MB at most.')
  let held: unknown
  try {
    held = JSON.parse(await file.text())
  } catch (error) {
    return wrong(
      error instanceof SyntaxError
        ? 'This file is broken: it holds no JSON.'
        : 'This file cannot be read. Perhaps it was moved or changed; choose it again.',
    )
  }
  if (typeof held !== 'object' || held === null || Array.isArray(held)) return wrong(OTHER_KIND)
  return { held: held as Definition, fault: null }
}

/** Which reviews are selected to be decided together. All are of one review type. */

import type { ReviewRow } from '@/api/review-filters'

export type Selection = {
  rows: ReadonlyMap<string, ReviewRow>
  /** Where a range begins: the row that was chosen last. */
  anchor: string | null
}

export const EMPTY_SELECTION: Selection = { rows: new Map(), anchor: null }

/** So many at a time: more than anybody looks through in a preview. */
export const MAX_SELECTED = 200

/** Only what is undecided can be decided. */
export const isSelectable = (row: ReviewRow): boolean => row.state === 'pending'

/** The review type of everything that is selected. */
export function getSelectedType(selection: Selection): { formId: string; formName: string } | undefined {
  const [first] = selection.rows.values()
  return first && { formId: first.formId, formName: first.formName }
}

/** A review of another type than the selected ones. It can't be selected with them. */
export function isOtherType(selection: Selection, row: ReviewRow): boolean {
  const type = getSelectedType(selection)
  return type !== undefined && type.formId !== row.formId
}

export function toggleSelection(selection: Selection, row: ReviewRow): Selection {
  if (isOtherType(selection, row)) return selection
  const rows = new Map(selection.rows)
  if (!rows.delete(row.reviewId) && isSelectable(row) && rows.size < MAX_SELECTED) rows.set(row.reviewId, row)
  return { rows, anchor: row.reviewId }
}

/** Everything of the selected type from the row that was chosen last up to this one. */
export function extendSelection(selection: Selection, list: readonly ReviewRow[], row: ReviewRow): Selection {
  const from = list.findIndex(each => each.reviewId === selection.anchor)
  const to = list.findIndex(each => each.reviewId === row.reviewId)
  if (from === -1 || to === -1) return toggleSelection(selection, row)
  const between = list.slice(Math.min(from, to), Math.max(from, to) + 1)
  return addToSelection(selection, from <= to ? between : between.reverse())
}

/** Adds what can be selected. The first decides the review type if nothing is selected yet. */
export function addToSelection(selection: Selection, more: readonly ReviewRow[]): Selection {
  const rows = new Map(selection.rows)
  const next = { ...selection, rows }
  for (const row of more) {
    if (rows.size >= MAX_SELECTED) break
    if (isSelectable(row) && !isOtherType(next, row)) rows.set(row.reviewId, row)
  }
  return next
}

/** What is chosen as it is now: decided and deleted reviews fall out, changed ones are up to date. */
export function refreshSelection(selection: Selection, list: readonly ReviewRow[]): Selection {
  if (selection.rows.size === 0) return selection
  const now = new Map(list.map(row => [row.reviewId, row]))
  let rows: Map<string, ReviewRow> | undefined
  for (const [id, row] of selection.rows) {
    const current = now.get(id)
    if (current === row) continue
    rows ??= new Map(selection.rows)
    if (current && isSelectable(current)) rows.set(id, current)
    else rows.delete(id)
  }
  return rows ? { ...selection, rows } : selection
}

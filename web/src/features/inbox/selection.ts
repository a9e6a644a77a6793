/** The reviews selected to be decided together. All are of one review type. */

import type { ReviewRow } from '@/api/review-filters'

export type Selection = {
  rows: ReadonlyMap<string, ReviewRow>
  /** The start of a range: the row that was selected last. */
  anchor: string | null
}

export const EMPTY_SELECTION: Selection = { rows: new Map(), anchor: null }

/** The limit of a selection: more than anyone would look through in a preview. */
export const MAX_SELECTED = 200

/** Only undecided reviews can be selected. */
export const isSelectable = (row: ReviewRow): boolean => row.state === 'pending'

/** The review type of the selection. */
export function getSelectedType(selection: Selection): { formId: string; formName: string } | undefined {
  const [first] = selection.rows.values()
  return first && { formId: first.formId, formName: first.formName }
}

/** Whether a review is of another type than the selected ones, so that it can't be selected with them. */
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

/** Selects all reviews of the type between the last selected row and this one. */
export function extendSelection(selection: Selection, list: readonly ReviewRow[], row: ReviewRow): Selection {
  const from = list.findIndex(each => each.reviewId === selection.anchor)
  const to = list.findIndex(each => each.reviewId === row.reviewId)
  if (from === -1 || to === -1) return toggleSelection(selection, row)
  const between = list.slice(Math.min(from, to), Math.max(from, to) + 1)
  return addToSelection(selection, from <= to ? between : between.reverse())
}

/** Adds selectable reviews. The first one sets the review type if nothing is selected. */
export function addToSelection(selection: Selection, more: readonly ReviewRow[]): Selection {
  const rows = new Map(selection.rows)
  const next = { ...selection, rows }
  for (const row of more) {
    if (rows.size >= MAX_SELECTED) break
    if (isSelectable(row) && !isOtherType(next, row)) rows.set(row.reviewId, row)
  }
  return next
}

/** Updates the selection: decided and deleted reviews are removed, changed ones updated. */
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

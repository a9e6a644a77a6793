/** Which reviews are chosen to be decided together. */

import type { ReviewRow } from '@/api/review-filters'

export type Selection = {
  rows: ReadonlyMap<string, ReviewRow>
  /** Where a range begins: the row that was chosen last. */
  anchor: string | null
}

export const NOTHING: Selection = { rows: new Map(), anchor: null }

/** So many at a time: more than anybody looks through in a preview. */
export const MOST_SELECTED = 200

/** Only what is undecided can be decided. */
export const isSelectable = (row: ReviewRow): boolean => row.state === 'pending'

export function toggle(selection: Selection, row: ReviewRow): Selection {
  const rows = new Map(selection.rows)
  if (!rows.delete(row.reviewId) && isSelectable(row) && rows.size < MOST_SELECTED)
    rows.set(row.reviewId, row)
  return { rows, anchor: row.reviewId }
}

/** Everything from the row that was chosen last up to this one. */
export function extendTo(selection: Selection, list: readonly ReviewRow[], row: ReviewRow): Selection {
  const from = list.findIndex(each => each.reviewId === selection.anchor)
  const to = list.findIndex(each => each.reviewId === row.reviewId)
  if (from === -1 || to === -1) return toggle(selection, row)
  return add(selection, list.slice(Math.min(from, to), Math.max(from, to) + 1))
}

export function add(selection: Selection, more: readonly ReviewRow[]): Selection {
  const rows = new Map(selection.rows)
  for (const row of more) {
    if (rows.size >= MOST_SELECTED) break
    if (isSelectable(row)) rows.set(row.reviewId, row)
  }
  return { ...selection, rows }
}

export function keepOnly(selection: Selection, isKept: (row: ReviewRow) => boolean): Selection {
  const kept = [...selection.rows].filter(([, row]) => isKept(row))
  return kept.length === selection.rows.size ? selection : { ...selection, rows: new Map(kept) }
}

/** What is chosen as it is now: decided and deleted reviews fall out, changed ones are up to date. */
export function refreshed(selection: Selection, list: readonly ReviewRow[]): Selection {
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

export type ChosenType = { formId: string; name: string; count: number }

/** The review types of what is chosen, the most frequent first. */
export function chosenTypes(selection: Selection): ChosenType[] {
  const types = new Map<string, ChosenType>()
  for (const { formId, formName } of selection.rows.values()) {
    const type = types.get(formId) ?? { formId, name: formName, count: 0 }
    types.set(formId, { ...type, count: type.count + 1 })
  }
  return [...types.values()].sort((a, b) => b.count - a.count)
}

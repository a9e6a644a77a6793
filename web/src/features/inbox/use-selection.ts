import { useCallback, useMemo, useState } from 'react'
import type { ReviewRow } from '@/api/review-filters'
import {
  addToSelection,
  EMPTY_SELECTION,
  extendSelection,
  isOtherType,
  refreshSelection,
  type Selection,
  toggleSelection,
} from './selection'

/** The selection of a list. Another list starts empty; reviews that leave the list are deselected. */
export function useSelection(rows: readonly ReviewRow[], list: string) {
  const [kept, setKept] = useState<{ list: string; selection: Selection }>({
    list,
    selection: EMPTY_SELECTION,
  })
  const selection = useMemo(
    () => (kept.list === list ? refreshSelection(kept.selection, rows) : EMPTY_SELECTION),
    [kept, list, rows],
  )
  const change = useCallback(
    (changed: (before: Selection) => Selection) =>
      setKept(before => ({
        list,
        selection: changed(before.list === list ? refreshSelection(before.selection, rows) : EMPTY_SELECTION),
      })),
    [list, rows],
  )
  const toggleRow = useCallback(
    (row: ReviewRow, isRange: boolean) =>
      change(before => (isRange ? extendSelection(before, rows, row) : toggleSelection(before, row))),
    [change, rows],
  )
  return {
    selection,
    hasAny: selection.rows.size > 0,
    isSelected: (reviewId: string) => selection.rows.has(reviewId),
    isOtherType: (row: ReviewRow) => isOtherType(selection, row),
    toggle: toggleRow,
    addAll: (more: readonly ReviewRow[]) => change(before => addToSelection(before, more)),
    clear: useCallback(() => change(() => EMPTY_SELECTION), [change]),
  }
}

export type SelectionControl = ReturnType<typeof useSelection>

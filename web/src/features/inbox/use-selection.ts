import { useCallback, useMemo, useState } from 'react'
import type { ReviewRow } from '@/api/review-filters'
import { add, extendTo, isOtherType, NOTHING, refreshed, type Selection, toggle } from './selection'

/** What is selected in a list. Another list begins with nothing; what leaves the list is not selected any more. */
export function useSelection(rows: readonly ReviewRow[], list: string) {
  const [kept, setKept] = useState<{ list: string; selection: Selection }>({ list, selection: NOTHING })
  const selection = useMemo(
    () => (kept.list === list ? refreshed(kept.selection, rows) : NOTHING),
    [kept, list, rows],
  )
  const change = useCallback(
    (changed: (before: Selection) => Selection) =>
      setKept(before => ({
        list,
        selection: changed(before.list === list ? refreshed(before.selection, rows) : NOTHING),
      })),
    [list, rows],
  )
  const toggleRow = useCallback(
    (row: ReviewRow, isRange: boolean) =>
      change(before => (isRange ? extendTo(before, rows, row) : toggle(before, row))),
    [change, rows],
  )
  return {
    selection,
    hasAny: selection.rows.size > 0,
    isSelected: (reviewId: string) => selection.rows.has(reviewId),
    isOtherType: (row: ReviewRow) => isOtherType(selection, row),
    toggle: toggleRow,
    addAll: (more: readonly ReviewRow[]) => change(before => add(before, more)),
    clear: useCallback(() => change(() => NOTHING), [change]),
  }
}

export type SelectionControl = ReturnType<typeof useSelection>

import { useQuery } from '@tanstack/react-query'
import { useMatch, useSearch } from '@tanstack/react-router'
import { createContext, type ReactNode, useContext, useMemo, useState } from 'react'
import { type Counts, countsQuery } from '@/api/inbox'
import { getDefaultView, type InboxSearch, type ViewName } from './search-params'

export type InboxView = {
  /** The search parameters; null on other pages. */
  search: InboxSearch | null
  /** The current view; null until it's known, and on other pages. */
  view: ViewName | null
  counts: Counts | undefined
}

const Context = createContext<InboxView>({ search: null, view: null, counts: undefined })

/** The current view of the inbox, for the sidebar and the list. */
export const useInboxView = (): InboxView => useContext(Context)

export function InboxViewProvider({ children }: { children: ReactNode }) {
  const isInbox = useMatch({ from: '/app/inbox', shouldThrow: false }) !== undefined
  const search: InboxSearch = useSearch({ strict: false })
  const { data: counts, isError } = useQuery(countsQuery)
  // A URL without a view shows the member's own reviews if there are any. That's decided once: the view must not change
  // when the last of them is decided.
  const [settled, setSettled] = useState<ViewName>()
  const mine = counts?.views.mine ?? (isError ? 0 : undefined)
  const byCounts = getDefaultView({}, mine)
  if (isInbox && settled === undefined && byCounts !== undefined) setSettled(byCounts)
  if (!isInbox && settled !== undefined) setSettled(undefined)
  const view = isInbox ? (getDefaultView(search, settled && (settled === 'mine' ? 1 : 0)) ?? null) : null
  const value = useMemo<InboxView>(
    () => ({ search: isInbox ? search : null, view, counts }),
    [isInbox, search, view, counts],
  )
  return <Context value={value}>{children}</Context>
}

import { useQuery } from '@tanstack/react-query'
import { useMatch, useSearch } from '@tanstack/react-router'
import { createContext, type ReactNode, useContext, useMemo, useState } from 'react'
import { type Counts, countsQuery } from '@/api/inbox'
import { getDefaultView, type InboxSearch, type ViewName } from './search-params'

export type InboxView = {
  /** What the address says; null on a page that is not the inbox. */
  search: InboxSearch | null
  /** The view that is shown; null until it is known, and on other pages. */
  view: ViewName | null
  counts: Counts | undefined
}

const Context = createContext<InboxView>({ search: null, view: null, counts: undefined })

/** Which part of the inbox is shown, for the sidebar and the list alike. */
export const useInboxView = (): InboxView => useContext(Context)

export function InboxViewProvider({ children }: { children: ReactNode }) {
  const isInbox = useMatch({ from: '/app/inbox', shouldThrow: false }) !== undefined
  const search: InboxSearch = useSearch({ strict: false })
  const { data: counts, isError } = useQuery(countsQuery)
  // An address without a view shows what one has to do. That is settled once: it shall not change under one's hands when
  // the last of one's own is decided.
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

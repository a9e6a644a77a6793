import { useQuery } from '@tanstack/react-query'
import { useEffect, useMemo, useState } from 'react'
import { countsQuery } from '@/api/inbox'
import { type SessionRow, useSessionRows } from '@/api/sessions'
import { type ChatSearch, getFilters } from './search-params'

/** How many pages are searched for unread sessions, which come first. */
const MAX_SEARCHED_PAGES = 5

/** The sessions of the list: first those with unread messages, then the others, both newest first. */
export function useSessionList(search: ChatSearch, openId: string | undefined) {
  const { agent, q, all } = search
  const filters = useMemo(() => getFilters({ agent, q, all }), [agent, q, all])
  const { query, rows } = useSessionRows(filters)
  const { data, hasNextPage, isFetching, isError, fetchNextPage } = query

  // A session that is open keeps its position until another one is opened.
  const [openedRow, setOpenedRow] = useState<{ id: string | undefined; wasUnread: boolean }>({
    id: undefined,
    wasUnread: false,
  })
  const open = rows.find(row => row.sessionId === openId)
  if (openedRow.id !== openId && (openId === undefined || open !== undefined))
    setOpenedRow({ id: openId, wasUnread: open !== undefined && open.unread > 0 })
  const staysUnread = (row: SessionRow) => openedRow.wasUnread && row.sessionId === openedRow.id
  const unread = rows.filter(row => row.unread > 0 || staysUnread(row))
  const others = rows.filter(row => row.unread === 0 && !staysUnread(row))

  const expected = useQuery(countsQuery).data?.chat.unread ?? 0
  const isPlain = agent === undefined && q === undefined
  const lacksUnread = isPlain && unread.length < expected
  const pages = data?.pages.length ?? 0
  useEffect(() => {
    if (lacksUnread && hasNextPage && !isFetching && !isError && pages < MAX_SEARCHED_PAGES)
      void fetchNextPage()
  }, [lacksUnread, hasNextPage, isFetching, isError, pages, fetchNextPage])

  return { query, unread, others, isEmpty: rows.length === 0 }
}

export type ShownSessions = ReturnType<typeof useSessionList>

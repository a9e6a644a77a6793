import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { ApiError } from '@/api/client'
import { useMe } from '@/api/session'
import { type Message, markRead, type Session } from '@/api/sessions'
import { usePageVisible } from './use-page-visible'

/** What is new to the person, and says so to the service once they have seen it. */
export function useReadState(
  session: Session,
  /** What the cache says of a session that is opened again may be from before. */
  isFresh: boolean,
  messages: readonly Message[],
  isAtEnd: boolean,
) {
  const client = useQueryClient()
  const me = useMe().user.userId
  const isSeen = usePageVisible()
  const { sessionId, unread } = session
  const newest = messages[0]

  // Settled when the session is opened: the line stays where it was while the messages below it are read.
  const [firstUnread, setFirstUnread] = useState<number | null>()
  if (firstUnread === undefined && (isFresh || unread > 0))
    setFirstUnread(unread > 0 ? session.messageCount - unread + 1 : null)

  const newestId = newest?.messageId
  useEffect(() => {
    if (unread === 0 || newestId === undefined || !isAtEnd || !isSeen) return
    // Who glances at it on the way elsewhere has not read it.
    const timer = setTimeout(() => {
      markRead(client, sessionId, newestId).catch((error: unknown) => {
        // It stays unread, and is said again with the next message.
        if (!(error instanceof ApiError)) throw error
      })
    }, 400)
    return () => clearTimeout(timer)
  }, [client, sessionId, unread, newestId, isAtEnd, isSeen])

  // What came since the session was opened is read out, once it is complete.
  const [openedAt, setOpenedAt] = useState<number>()
  if (openedAt === undefined && messages.length > 0) setOpenedAt(newest?.number ?? 0)
  const isNew = newest !== undefined && newest.number > (openedAt ?? Number.POSITIVE_INFINITY)
  const announced = isNew && newest.state === 'complete' && newest.user?.id !== me ? newest : undefined
  return { firstUnread, announced }
}

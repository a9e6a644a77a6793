import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { ApiError } from '@/api/client'
import { useMe } from '@/api/session'
import { type Message, markRead, type Session } from '@/api/sessions'
import { usePageVisible } from './use-page-visible'

/** The unread state of a session. Marks messages as read once the member has seen them. */
export function useReadState(
  session: Session,
  /** False: the cached session may be from before it was reopened. */
  isFresh: boolean,
  messages: readonly Message[],
  isAtEnd: boolean,
) {
  const client = useQueryClient()
  const me = useMe().user.userId
  const isSeen = usePageVisible()
  const { sessionId, unread } = session
  const newest = messages[0]

  // Set when the session opens: the divider stays in place while the messages below it are read.
  const [firstUnread, setFirstUnread] = useState<number | null>()
  if (firstUnread === undefined && (isFresh || unread > 0))
    setFirstUnread(unread > 0 ? session.messageCount - unread + 1 : null)

  const newestId = newest?.messageId
  useEffect(() => {
    if (unread === 0 || newestId === undefined || !isAtEnd || !isSeen) return
    // A quick glance doesn't count as read.
    const timer = setTimeout(() => {
      markRead(client, sessionId, newestId).catch((error: unknown) => {
        // The session stays unread, and the next message triggers another request.
        if (!(error instanceof ApiError)) throw error
      })
    }, 400)
    return () => clearTimeout(timer)
  }, [client, sessionId, unread, newestId, isAtEnd, isSeen])

  // Screen readers announce messages that came after the session was opened, once they are complete.
  const [openedAt, setOpenedAt] = useState<number>()
  if (openedAt === undefined && messages.length > 0) setOpenedAt(newest?.number ?? 0)
  const isNew = newest !== undefined && newest.number > (openedAt ?? Number.POSITIVE_INFINITY)
  const announced = isNew && newest.state === 'complete' && newest.user?.id !== me ? newest : undefined
  return { firstUnread, announced }
}

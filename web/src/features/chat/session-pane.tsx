import { t } from '@lingui/core/macro'
import { useQueryClient } from '@tanstack/react-query'
import { MessagesSquare, SearchX } from 'lucide-react'
import { type ReactNode, useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { isStatus } from '@/api/client'
import { type OutgoingMessage, sendMessage } from '@/api/outgoing-messages'
import { useMe } from '@/api/session'
import { newestNumber, type Session, useSession } from '@/api/sessions'
import { Button } from '@/components/button'
import { EmptyState, ErrorState, Spinner } from '@/components/status'
import { useShortcuts } from '@/lib/shortcuts'
import { Composer } from './composer'
import { type ChatDraft, EMPTY_DRAFT, readDraft, storeDraft } from './drafts'
import { LiveActivity } from './live-activity'
import { ReadOnlyNotice } from './read-only-notice'
import type { OpenReviews } from './review-card'
import { SessionHeader } from './session-header'
import { Timeline } from './timeline'
import { useChatScroll } from './use-chat-scroll'
import { useFocusWithHardwareKeyboard, useScreenKeyboardPadding } from './use-screen-keyboard'

export type SessionPaneProps = {
  sessionId: string
  reviews: Omit<OpenReviews, 'holdAt'>
  onClose: () => void
  /** Moves focus from the box back to the list. */
  onLeave: () => void
}

/** One session: its messages and reviews, and the message box. */
export function SessionPane({ sessionId, reviews, onClose, onLeave }: SessionPaneProps) {
  const { query, session } = useSession(sessionId)
  if (isStatus(query.error, 404)) return <SessionNotFound onClose={onClose} />
  if (session)
    return (
      <OpenSession
        key={sessionId}
        session={session}
        isFresh={query.isFetchedAfterMount || !query.isFetching}
        reviews={reviews}
        onClose={onClose}
        onLeave={onLeave}
      />
    )
  return (
    <div className="grid h-full place-items-center">
      {query.error ? (
        <ErrorState title={t`Couldn't load the chat`} error={query.error} onRetry={() => query.refetch()} />
      ) : (
        <Spinner />
      )}
    </div>
  )
}

type OpenProps = Omit<SessionPaneProps, 'sessionId'> & { session: Session; isFresh: boolean }

function OpenSession({ session, isFresh, reviews, onClose, onLeave }: OpenProps) {
  const { sessionId, agentName } = session
  const me = useMe().user.userId
  const client = useQueryClient()
  const scroll = useChatScroll()
  const input = useRef<HTMLTextAreaElement>(null)
  const place = useScreenKeyboardPadding()
  const { draft, changeDraft } = useDraft(sessionId)
  useFocusWithHardwareKeyboard(input)
  useShortcuts(
    useMemo(
      () => [
        { keys: 'c', label: t`Write a message`, group: t`Chat`, run: () => input.current?.focus() },
        { keys: 'shift+g', label: t`Jump to latest`, group: t`Chat`, run: scroll.toEnd },
      ],
      [scroll.toEnd],
    ),
  )
  const send = ({ text, attachments }: ChatDraft) => {
    sendMessage({ sessionId, text, attachments, after: newestNumber(client, sessionId), by: me })
    changeDraft(() => EMPTY_DRAFT)
  }
  const takeBack = useCallback(
    ({ text, attachments }: OutgoingMessage) => {
      changeDraft(now => ({
        text: [text, now.text].filter(Boolean).join('\n'),
        attachments: [...attachments, ...now.attachments],
      }))
      input.current?.focus()
    },
    [changeDraft],
  )
  return (
    <section ref={place} aria-label={t`Chat with ${agentName}`} className="flex h-full min-h-0 flex-col">
      <SessionHeader session={session} onClose={onClose} />
      <Timeline
        session={session}
        isFresh={isFresh}
        scroll={scroll}
        reviews={reviews}
        onEdit={takeBack}
        empty={<NoMessages session={session} />}
      />
      <LiveActivity session={session} />
      {session.mayWrite ? (
        <Composer
          draft={draft}
          onDraft={changeDraft}
          onSend={send}
          sessionId={sessionId}
          agentName={agentName}
          input={input}
          onLeave={onLeave}
        />
      ) : (
        <ReadOnlyNotice chat={session.chat} agentName={agentName} />
      )}
    </section>
  )
}

/** The draft of a session, stored while the member types. */
export function useDraft(place: string) {
  const [draft, setDraft] = useState(() => readDraft(place))
  const changeDraft = useCallback((step: (draft: ChatDraft) => ChatDraft) => setDraft(step), [])
  useEffect(() => storeDraft(place, draft), [place, draft])
  return { draft, changeDraft }
}

function NoMessages({ session }: { session: Session }): ReactNode {
  const { agentName } = session
  return (
    <div className="grid flex-1 place-items-center">
      <EmptyState icon={<MessagesSquare />} title={t`No messages yet`}>
        {session.mayWrite
          ? t`Message ${agentName}. Everyone in the workspace can read this chat.`
          : t`Messages from ${agentName} show up here.`}
      </EmptyState>
    </div>
  )
}

function SessionNotFound({ onClose }: { onClose: () => void }) {
  return (
    <EmptyState
      icon={<SearchX />}
      title={t`Chat not found`}
      as="h1"
      action={<Button onClick={onClose}>{t`Back to list`}</Button>}
    >
      {t`Check the link.`}
    </EmptyState>
  )
}

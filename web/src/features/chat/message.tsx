import { t } from '@lingui/core/macro'
import { Bot, CircleAlert, Clock } from 'lucide-react'
import { memo, type ReactNode } from 'react'
import { isUnsent } from '@/api/mutation-queue'
import { type OutgoingMessage, outgoingMessages } from '@/api/outgoing-messages'
import { useMe } from '@/api/session'
import type { Message } from '@/api/sessions'
import { Avatar } from '@/components/avatar'
import { classes } from '@/lib/classes'
import { formatDateTime, formatTimeOfDay } from '@/lib/time'
import { Attachments } from './attachments'
import { DeliveryState } from './delivery-state'
import { MarkdownText, PlainText } from './markdown-text'

type FrameProps = {
  name: string
  /** The member whose avatar it is. */
  person: string
  isAgent: boolean
  at: string | number
  goesOn: boolean
  children: ReactNode
}

/** The author and time, once for consecutive messages. */
function MessageFrame({ name, person, isAgent, at, goesOn, children }: FrameProps) {
  return (
    <article
      data-entry
      aria-label={t`${name}, ${{ time: formatDateTime(at) }}`}
      className={classes('group flex gap-3 px-4 md:px-6', goesOn ? 'pt-1' : 'pt-4')}
    >
      <div className="w-7 shrink-0">
        {!goesOn &&
          (isAgent ? (
            <span
              aria-hidden="true"
              className="grid size-7 place-items-center rounded-lg bg-accent-soft text-accent"
            >
              <Bot />
            </span>
          ) : (
            <Avatar name={person} className="size-7" />
          ))}
      </div>
      <div className="min-w-0 flex-1">
        {!goesOn && (
          <div className="flex min-w-0 items-baseline gap-2">
            <span dir="auto" className="min-w-0 truncate font-semibold">
              {name}
            </span>
            <time
              dateTime={new Date(at).toISOString()}
              title={formatDateTime(at)}
              className="shrink-0 text-muted text-xs"
            >
              {formatTimeOfDay(at)}
            </time>
          </div>
        )}
        {children}
      </div>
    </article>
  )
}

type Props = {
  message: Message
  agentName: string
  /** The signed-in person's ID. */
  me: string
  goesOn: boolean
  isLatestOwn: boolean
  /** The review that came with it. */
  review?: ReactNode
}

/** One message. An agent's is formatted and grows while it's written; a member's is plain text. */
export const MessageItem = memo(function MessageItem({
  message,
  agentName,
  me,
  goesOn,
  isLatestOwn,
  review,
}: Props) {
  const isAgent = message.role === 'agent'
  const isMine = message.user?.id === me
  const name = isAgent ? agentName : isMine ? getYouLabel() : (message.user?.name ?? t`Former member`)
  return (
    <MessageFrame
      name={name}
      person={message.user?.name ?? name}
      isAgent={isAgent}
      at={message.createdAt}
      goesOn={goesOn}
    >
      {isAgent ? <AgentText message={message} /> : message.text && <PlainText text={message.text} />}
      <Attachments attachments={message.attachments} />
      {review}
      {!isAgent && <DeliveryState message={message} agentName={agentName} isLatest={isMine && isLatestOwn} />}
    </MessageFrame>
  )
})

function AgentText({ message }: { message: Message }) {
  return (
    <>
      {message.text && <MarkdownText text={message.text} />}
      {message.state === 'streaming' && (
        <span className="inline-flex h-5 items-center">
          <span className="h-3.5 w-1.5 animate-pulse rounded-xs bg-accent" aria-hidden="true" />
          <span className="sr-only">{t`Writing…`}</span>
        </span>
      )}
      {message.state === 'interrupted' && (
        <p className="inline-flex items-center gap-1 text-sm text-warn">
          <CircleAlert className="icon-small" /> {t`The reply was interrupted. It may resume.`}
        </p>
      )}
    </>
  )
}

type OutgoingProps = {
  outgoing: OutgoingMessage
  goesOn: boolean
  /** Puts the message back into the box to edit it. */
  onEdit: (outgoing: OutgoingMessage) => void
}

/** A message that isn't known to have arrived. */
export function OutgoingItem({ outgoing, goesOn, onEdit }: OutgoingProps) {
  const { id, sessionId, state } = outgoing
  const me = useMe()
  const isStuck = state === 'waiting' || state === 'refused'
  const discard = () => outgoingMessages.cancel(id)
  const edit = () => {
    const taken = discard()
    if (taken) onEdit(taken)
  }
  return (
    <MessageFrame
      name={getYouLabel()}
      person={me.user.name}
      isAgent={false}
      at={outgoing.createdAt}
      goesOn={goesOn}
    >
      <div className={classes(isStuck && 'opacity-70')}>
        {outgoing.text && <PlainText text={outgoing.text} />}
        <Attachments attachments={outgoing.attachments} />
      </div>
      {isStuck ? (
        <div role="alert" className="flex flex-wrap items-center gap-x-3 text-bad text-sm">
          <span className="inline-flex items-center gap-1">
            <CircleAlert className="icon-small shrink-0" />
            {describeUnsent(outgoing)}
          </span>
          <span className="flex gap-3">
            <Action
              onClick={() =>
                void (state === 'refused' ? outgoingMessages.retry(id) : outgoingMessages.sendNow(sessionId))
              }
            >
              {t`Try again`}
            </Action>
            {isUnsent(outgoing) && (
              <>
                <Action onClick={edit}>{t`Edit`}</Action>
                <Action onClick={() => discard()}>{t`Discard`}</Action>
              </>
            )}
          </span>
        </div>
      ) : (
        <span className="inline-flex items-center gap-1 text-muted text-xs">
          <Clock className="icon-tiny" /> {t`Sending…`}
        </span>
      )}
    </MessageFrame>
  )
}

const getYouLabel = (): string => t({ message: 'You', comment: 'Author of a message in a chat' })

function describeUnsent(outgoing: OutgoingMessage): string {
  const reason = outgoing.error?.message
  if (outgoing.state === 'refused') return reason ? t`Not sent. ${reason}` : t`Not sent.`
  if (isUnsent(outgoing)) return reason ? t`Not sent yet. ${reason}` : t`Not sent yet.`
  // It may have arrived, and only the response got lost.
  return reason ? t`May not have been sent. ${reason}` : t`May not have been sent.`
}

function Action({ onClick, children }: { onClick: () => void; children: string }) {
  return (
    <button
      type="button"
      onClick={onClick}
      className="rounded underline underline-offset-2 pointer-coarse:min-h-11 pointer-coarse:min-w-11"
    >
      {children}
    </button>
  )
}

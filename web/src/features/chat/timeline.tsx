import { plural, t } from '@lingui/core/macro'
import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query'
import { ArrowDown } from 'lucide-react'
import { type ReactNode, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react'
import { type OutgoingMessage, useOutgoingMessages, withoutShown } from '@/api/outgoing-messages'
import type { ReviewRow } from '@/api/reviews'
import { useMe } from '@/api/session'
import {
  hasUnsettledDelivery,
  type Message,
  readNewMessages,
  type Session,
  type TimelineItem,
  timelineQuery,
  useTimelineItems,
} from '@/api/sessions'
import { Button } from '@/components/button'
import { ErrorState, Spinner } from '@/components/status'
import { formatDay, toLocalDay } from '@/lib/time'
import { buildEntries, type Entry } from './entries'
import { MessageItem, OutgoingItem } from './message'
import { AttachedReview, type OpenReviews, ReviewCard } from './review-card'
import type { ChatScroll } from './use-chat-scroll'
import { useReadState } from './use-read-state'

/** How many pages are searched for a review in the URL; an older one is shown at the end. */
const SEARCHED_MESSAGES = 6

type Props = {
  session: Session
  /** The session's data was fetched after it was opened. */
  isFresh: boolean
  scroll: ChatScroll
  reviews: Omit<OpenReviews, 'holdAt'>
  onEdit: (outgoing: OutgoingMessage) => void
  /** Shown while there are no messages. */
  empty: ReactNode
}

/** Everything that happened in a session, oldest first. */
export function Timeline({ session, isFresh, scroll, reviews, onEdit, empty }: Props) {
  const { sessionId, agentName } = session
  const me = useMe().user.userId
  const query = useInfiniteQuery(timelineQuery(sessionId))
  const { data: timeline, hasNextPage, isFetchNextPageError, fetchNextPage } = query
  const everything = useOutgoingMessages()
  const { items, messages, reviews: shownReviews } = useTimelineItems(sessionId, timeline)
  usePollDeliveries(sessionId, hasUnsettledDelivery(messages))

  const outgoing = useMemo(
    () =>
      withoutShown(
        everything.filter(each => each.sessionId === sessionId && each.by === me),
        messages,
      ),
    [everything, sessionId, me, messages],
  )
  const { firstUnread, announced } = useReadState(session, isFresh, messages, scroll.isAtEnd)
  const entries = useMemo(
    () => buildEntries({ items, outgoing, firstUnread: firstUnread ?? null, dayOf: toLocalDay }),
    [items, outgoing, firstUnread],
  )
  const rows = useMemo(() => new Map(shownReviews.map(row => [row.reviewId, row])), [shownReviews])
  const latestOwn = messages.find(message => message.user?.id === me)?.messageId
  const cards = useMemo<OpenReviews>(() => ({ ...reviews, holdAt: scroll.holdAt }), [reviews, scroll.holdAt])

  // Scroll to the member's own new message.
  const written = outgoing.at(-1)?.id
  const { toEnd, scroller, settle } = scroll
  useLayoutEffect(settle)
  useEffect(() => {
    if (written !== undefined) toEnd()
  }, [written, toEnd])
  const { openId } = reviews
  const isDrawn = useMemo(
    () => openId === undefined || items.some(item => isFromUser(item, openId)),
    [items, openId],
  )
  const isLookedFor =
    !isDrawn && hasNextPage && !isFetchNextPageError && (timeline?.pages.length ?? 0) < SEARCHED_MESSAGES
  // A fetch in progress ends before the next page is requested: a refetch would have aborted it silently.
  useEffect(() => {
    if (isLookedFor && !query.isFetching) void fetchNextPage()
  }, [isLookedFor, query.isFetching, fetchNextPage])
  const [wasKnown] = useState(timeline !== undefined)
  const isRead = timeline !== undefined && !(wasKnown && query.isRefetching)
  useInitialPosition(scroll, isRead && !isLookedFor && firstUnread !== undefined, openId)
  const top = useOlderMessages(
    scroller,
    // Fetching the next page during a refetch would abort the refetch.
    hasNextPage && !query.isFetching && !isFetchNextPageError,
    fetchNextPage,
  )

  return (
    <div className="relative flex min-h-0 flex-1 flex-col">
      <section
        ref={scroller}
        aria-label={t`Messages`}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable areas must be focusable.
        tabIndex={0}
        className="-outline-offset-2 min-h-0 flex-1 overflow-y-auto overscroll-contain [overflow-anchor:none]"
      >
        <div ref={scroll.content} className="mx-auto flex min-h-full max-w-4xl flex-col justify-end pb-4">
          {query.isError && !timeline && (
            <ErrorState
              title={t`Couldn't load the messages`}
              error={query.error}
              onRetry={() => query.refetch()}
            />
          )}
          {query.isPending && (
            <div className="grid flex-1 place-items-center">
              <Spinner />
            </div>
          )}
          <div ref={top} className="grid min-h-2 place-items-center">
            {isFetchNextPageError ? (
              <Button size="small" className="my-3" onClick={() => fetchNextPage()}>
                {t`Load older messages`}
              </Button>
            ) : (
              hasNextPage && (
                <span className="py-3">
                  <Spinner label={t`Loading older messages…`} />
                </span>
              )
            )}
          </div>
          {timeline && entries.length === 0 && !hasNextPage && empty}
          {entries.map(entry => (
            <EntryItem
              key={entry.key}
              entry={entry}
              agentName={agentName}
              me={me}
              latestOwn={latestOwn}
              rows={rows}
              reviews={cards}
              onEdit={onEdit}
            />
          ))}
          {timeline && openId !== undefined && !isDrawn && !isLookedFor && (
            <div className="mx-4 mt-2.5 md:me-6 md:ms-16">
              <AttachedReview reviewId={openId} row={undefined} reviews={cards} />
            </div>
          )}
        </div>
      </section>
      <p role="status" className="sr-only">
        {announced && getAnnouncement(announced, agentName)}
      </p>
      {!scroll.isAtEnd && (
        <div className="pointer-events-none absolute inset-x-0 bottom-3 flex justify-center">
          <Button
            size="small"
            icon={<ArrowDown />}
            onClick={toEnd}
            className="pointer-events-auto rounded-full border-0 px-3 shadow-float"
          >
            {session.unread > 0
              ? t`${plural({ count: session.unread }, { one: '# new message', other: '# new messages' })}`
              : t`Jump to latest`}
          </Button>
        </div>
      )}
    </div>
  )
}

function getAnnouncement(message: Message, agentName: string): string {
  const name = message.role === 'agent' ? agentName : (message.user?.name ?? t`Former member`)
  return t`${name}: ${{ text: message.text.slice(0, 200) }}`
}

type EntryProps = {
  entry: Entry
  agentName: string
  me: string
  latestOwn: string | undefined
  rows: ReadonlyMap<string, ReviewRow>
  reviews: OpenReviews
  onEdit: (outgoing: OutgoingMessage) => void
}

function EntryItem({ entry, agentName, me, latestOwn, rows, reviews, onEdit }: EntryProps) {
  switch (entry.kind) {
    case 'day':
      return (
        <div className="flex items-center gap-3 px-4 pt-5 text-muted text-xs md:px-6">
          <span className="h-px flex-1 bg-line" />
          <h2>{formatDay(Number.isNaN(Number(entry.at)) ? entry.at : Number(entry.at))}</h2>
          <span className="h-px flex-1 bg-line" />
        </div>
      )
    case 'unread':
      return (
        <div
          className="flex items-center gap-3 px-4 pt-4 font-medium text-accent text-xs md:px-6"
          data-unread
        >
          <span className="h-px flex-1 bg-accent/40" />
          {t`New messages`}
          <span className="h-px flex-1 bg-accent/40" />
        </div>
      )
    case 'outgoing':
      return <OutgoingItem outgoing={entry.outgoing} goesOn={entry.isContinued} onEdit={onEdit} />
    case 'message': {
      const { message } = entry
      return (
        <MessageItem
          message={message}
          agentName={agentName}
          me={me}
          goesOn={entry.isContinued}
          isLatestOwn={message.messageId === latestOwn}
          {...(entry.hasReview &&
            message.reviewId && {
              review: (
                <AttachedReview
                  reviewId={message.reviewId}
                  row={rows.get(message.reviewId)}
                  reviews={reviews}
                />
              ),
            })}
        />
      )
    }
    default:
      return (
        <ReviewCard
          review={entry.review}
          isTrigger={entry.kind === 'trigger'}
          reviews={reviews}
          className="mx-4 mt-4 max-w-3xl md:ms-16 md:me-6"
        />
      )
  }
}

/** Whether a review renders at this item. */
const isFromUser = (item: TimelineItem, reviewId: string): boolean =>
  (item.kind === 'message' ? item.message.reviewId : item.review.reviewId) === reviewId

/** Scrolls to the review in the URL, or to the first unread message if there are many. */
function useInitialPosition(
  { content, scroller, isAtEnd, showAt, toEnd }: ChatScroll,
  isThere: boolean,
  review: string | undefined,
) {
  const isDone = useRef(false)
  useLayoutEffect(() => {
    if (!isThere || isDone.current || !content.current || !scroller.current) return
    isDone.current = true
    // A member who has scrolled in between stays where they are.
    if (!isAtEnd) return
    toEnd()
    const find = (selector: string) => content.current?.querySelector<HTMLElement>(selector)
    const card = review === undefined ? null : find(`[data-review="${CSS.escape(review)}"]`)
    if (card) showAt(card, 12)
    const line = card ? null : find('[data-unread]')
    const isAbove = (element: Element, box: Element) =>
      element.getBoundingClientRect().top < box.getBoundingClientRect().top
    if (line && isAbove(line, scroller.current)) showAt(line, 24)
  }, [content, scroller, isAtEnd, showAt, toEnd, isThere, review])
}

const POLL_INTERVAL = 1_500
const SLOW_POLL_INTERVAL = 10_000
const FAST_POLL_MS = 20

/** The feed doesn't report deliveries to the agent: they are polled, often at first. */
function usePollDeliveries(sessionId: string, isOpen: boolean) {
  const client = useQueryClient()
  useEffect(() => {
    if (!isOpen) return
    let times = 0
    let timer: ReturnType<typeof setTimeout>
    const ask = () => {
      times += 1
      if (document.visibilityState === 'visible') void readNewMessages(client, sessionId)
      timer = setTimeout(ask, times < FAST_POLL_MS ? POLL_INTERVAL : SLOW_POLL_INTERVAL)
    }
    timer = setTimeout(ask, POLL_INTERVAL / 2)
    return () => clearTimeout(timer)
  }, [client, sessionId, isOpen])
}

/** Loads older messages before the reader scrolls to them. */
function useOlderMessages(scroller: ChatScroll['scroller'], mayRead: boolean, read: () => void) {
  const top = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (!mayRead || !top.current) return
    const observer = new IntersectionObserver(seen => seen.some(each => each.isIntersecting) && read(), {
      root: scroller.current,
      rootMargin: '800px 0px 0px',
    })
    observer.observe(top.current)
    return () => observer.disconnect()
  }, [scroller, mayRead, read])
  return top
}

import { useQueryClient } from '@tanstack/react-query'
import { useMatch, useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { Check, CircleAlert, CloudOff, X } from 'lucide-react'
import { useCallback, useEffect, useMemo } from 'react'
import {
  type Decision,
  dismiss,
  type PendingDecision,
  type RefusedDecision,
  sendNow,
  undo,
  useArrivedDecisions,
  usePendingDecisions,
  useRefusedDecisions,
  useResumedDecisions,
} from '@/api/decisions'
import { type Review, rereadReview, reviewKeys } from '@/api/review'
import { useMe } from '@/api/session'
import { Button, IconButton } from '@/components/button'
import { useShortcuts } from '@/lib/shortcuts'
import { decidedWord } from './held-bar'
import { SecondsLeft } from './seconds-left'
import { useLatest } from './use-latest'

/**
 * What was decided a moment ago and can still be taken back, what could not be sent, and what was refused while the person
 * was elsewhere. To be mounted once, for as long as somebody is signed in: it also brings arrived decisions into the cache.
 */
export function PendingDecisions() {
  const pending = usePendingDecisions()
  const refused = useRefusedDecisions()
  const { reviewId } = useParams({ strict: false })
  // A review may also be open inside of a chat.
  const { review: inChat } = useSearch({ strict: false })
  const here = reviewId ?? inChat
  // Only there the search says which list the review is opened beside.
  const isInbox = useMatch({ from: '/app/inbox', shouldThrow: false }) !== undefined
  const navigate = useNavigate()
  useResumedDecisions(useMe().user.userId)
  useArrivals()
  useRefusals(refused)

  const open = useCallback(
    (reviewId: string) =>
      navigate({
        to: '/reviews/$reviewId',
        params: { reviewId },
        search: before => (isInbox ? before : {}) as never,
      }),
    [navigate, isInbox],
  )
  const takeBack = useCallback(
    (reviewId: string) => {
      if (undo(reviewId) && reviewId !== here) void open(reviewId)
    },
    [open, here],
  )
  const latest = [...pending.values()].findLast(decision => decision.state === 'held')
  const undoLatest = useLatest(() => latest && takeBack(latest.reviewId))
  const canUndo = latest !== undefined
  useShortcuts(
    useMemo(
      () =>
        canUndo
          ? [{ keys: 'z', label: 'Undo the last decision', group: 'Review', run: () => void undoLatest() }]
          : [],
      [canUndo, undoLatest],
    ),
  )

  // Where the review itself is on the page, it says so.
  const elsewhere = <T extends Decision>(all: ReadonlyMap<string, T>) =>
    [...all.values()].filter(decision => decision.reviewId !== here)
  const shown = elsewhere(pending)
  const failed = elsewhere(refused)
  return (
    <>
      <p role="status" className="sr-only">
        {latest && `${decidedWord(latest.response)} “${latest.title}”. Press Z to undo.`}
      </p>
      {shown.length + failed.length > 0 && (
        <section
          aria-label="Decisions"
          className="-translate-x-1/2 fixed bottom-[calc(4.75rem+env(safe-area-inset-bottom))] max-md:bottom-[calc(7.5rem+env(safe-area-inset-bottom))] left-1/2 z-30 flex w-[min(26rem,calc(100%-1.5rem))] flex-col gap-2"
        >
          {failed.map(decision => (
            <Refused key={decision.reviewId} decision={decision} onOpen={() => open(decision.reviewId)} />
          ))}
          {shown.slice(-3).map(decision => (
            <Pending
              key={decision.reviewId}
              decision={decision}
              isLatest={decision === latest}
              onUndo={() => takeBack(decision.reviewId)}
            />
          ))}
        </section>
      )}
    </>
  )
}

const CARD = 'flex min-h-11 items-center gap-2 rounded-lg bg-raised py-1.5 pr-1.5 pl-3 shadow-float'

function Pending({
  decision,
  isLatest,
  onUndo,
}: {
  decision: PendingDecision
  isLatest: boolean
  onUndo: () => void
}) {
  const isApproved = decision.response !== 'rejected'
  return (
    <div className={CARD}>
      {decision.state === 'waiting' ? (
        <CloudOff size={16} className="shrink-0 text-warn" aria-hidden="true" />
      ) : isApproved ? (
        <Check size={16} className="shrink-0 text-good" aria-hidden="true" />
      ) : (
        <X size={16} className="shrink-0 text-bad" aria-hidden="true" />
      )}
      <span className="min-w-0 flex-1 truncate">
        {decision.state === 'waiting' && 'Not sent yet: '}
        {decidedWord(decision.response)} ‘{decision.title}’
      </span>
      {decision.state === 'held' && (
        <>
          <span className="text-muted text-sm">
            <SecondsLeft until={decision.until} />
          </span>
          <Button
            kind="quiet"
            size="small"
            {...(isLatest && { keys: 'z' })}
            onClick={onUndo}
            className="text-accent! max-md:h-11"
          >
            Undo
          </Button>
        </>
      )}
      {decision.state === 'sending' && <span className="pr-2 text-muted text-sm">Sending…</span>}
      {decision.state === 'waiting' && (
        <Button
          kind="quiet"
          size="small"
          className="text-accent! max-md:h-11"
          onClick={() => sendNow(decision.reviewId)}
        >
          Try now
        </Button>
      )}
    </div>
  )
}

function Refused({ decision, onOpen }: { decision: RefusedDecision; onOpen: () => void }) {
  return (
    <div role="alert" className={CARD}>
      <CircleAlert size={16} className="shrink-0 text-bad" aria-hidden="true" />
      <span className="min-w-0 flex-1">
        <span className="line-clamp-2 font-medium">
          ‘{decision.title}’ was not {decidedWord(decision.response).toLowerCase()}
        </span>
        <span className="line-clamp-3 text-muted text-sm">{whyNot(decision)}</span>
      </span>
      <Button size="small" onClick={onOpen} className="max-md:h-11">
        Open
      </Button>
      <IconButton
        label="Dismiss"
        icon={<X size={15} />}
        size="small"
        className="max-md:size-11"
        onClick={() => dismiss(decision.reviewId)}
      />
    </div>
  )
}

function whyNot({ error }: RefusedDecision): string {
  if (error.code === 'content_replaced') return 'The agent replaced the content before it arrived.'
  if (error.code !== 'already_responded') return error.message
  const { respondingUser, response } = error.problem
  return `${String(respondingUser)} ${response ? String(response) : 'answered'} it first.`
}

/** What has arrived is decided here too. */
function useArrivals() {
  const client = useQueryClient()
  useArrivedDecisions(
    useCallback(
      ({ reviewId }: Decision, review: Review | null) => {
        if (review) client.setQueryData(reviewKeys.review(reviewId), review)
        client.removeQueries({ queryKey: reviewKeys.draft(reviewId) })
        void rereadReview(client, reviewId)
      },
      [client],
    ),
  )
}

/** Something is otherwise than this page believed: it is read anew. */
function useRefusals(refused: ReadonlyMap<string, RefusedDecision>) {
  const client = useQueryClient()
  useEffect(() => {
    for (const { reviewId } of refused.values()) void rereadReview(client, reviewId)
  }, [client, refused])
}

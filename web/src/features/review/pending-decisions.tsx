import { t } from '@lingui/core/macro'
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
  useOnDecisionArrived,
  usePendingDecisions,
  useRefusedDecisions,
  useResumeDecisions,
} from '@/api/decisions'
import { type Review, refetchReview, reviewKeys } from '@/api/review'
import { storeDecision } from '@/api/reviews'
import { useMe } from '@/api/session'
import { Button, IconButton } from '@/components/button'
import { Toast } from '@/components/toast'
import { useShortcuts } from '@/lib/shortcuts'
import { SecondsLeft } from './seconds-left'
import { useLatest } from './use-latest'

/**
 * Decisions that can still be undone, couldn't be sent, or were refused while the member was elsewhere. Mount it once,
 * for as long as someone is signed in: it also adds arrived decisions to the cache.
 */
export function PendingDecisions() {
  const pending = usePendingDecisions()
  const refused = useRefusedDecisions()
  const { reviewId } = useParams({ strict: false })
  // A review may also be open inside a chat.
  const { review: inChat } = useSearch({ strict: false })
  const here = reviewId ?? inChat
  // Only the inbox's search says which list the review is opened next to.
  const isInbox = useMatch({ from: '/app/inbox', shouldThrow: false }) !== undefined
  const navigate = useNavigate()
  useResumeDecisions(useMe().user.userId)
  useAnnounceArrivals()
  useAnnounceRefusals(refused)

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
          ? [
              {
                keys: 'z',
                label: t`Undo last decision`,
                group: t({ message: 'Review', context: 'noun' }),
                run: () => void undoLatest(),
              },
            ]
          : [],
      [canUndo, undoLatest],
    ),
  )

  // If the review itself is on the page, it shows its decision.
  const elsewhere = <T extends Decision>(all: ReadonlyMap<string, T>) =>
    [...all.values()].filter(decision => decision.reviewId !== here)
  const shown = elsewhere(pending)
  const failed = elsewhere(refused)
  return (
    <>
      <p role="status" className="sr-only">
        {latest && getUndoHint(latest)}
      </p>
      {shown.length + failed.length > 0 && (
        <section aria-label={t`Decisions`} className="flex flex-col gap-2">
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
    <Toast
      icon={
        decision.state === 'waiting' ? (
          <CloudOff className="shrink-0 text-warn" />
        ) : isApproved ? (
          <Check className="shrink-0 text-good" />
        ) : (
          <X className="shrink-0 text-bad" />
        )
      }
      actions={
        decision.state === 'held' ? (
          <>
            <span className="text-muted text-sm">
              <SecondsLeft until={decision.until} />
            </span>
            <Button
              kind="quiet"
              size="small"
              {...(isLatest && { keys: 'z' })}
              onClick={onUndo}
              className="text-accent"
            >
              {t`Undo`}
            </Button>
          </>
        ) : decision.state === 'sending' ? (
          <span className="pe-2 text-muted text-sm">{t`Sending…`}</span>
        ) : (
          <Button
            kind="quiet"
            size="small"
            className="text-accent"
            onClick={() => sendNow(decision.reviewId)}
          >
            {t`Try again`}
          </Button>
        )
      }
    >
      <p className="truncate">
        {decision.state === 'waiting' ? getUnsentText(decision) : getDecidedText(decision)}
      </p>
    </Toast>
  )
}

function Refused({ decision, onOpen }: { decision: RefusedDecision; onOpen: () => void }) {
  return (
    <Toast
      role="alert"
      icon={<CircleAlert className="shrink-0 text-bad" />}
      actions={
        <>
          <Button size="small" onClick={onOpen}>
            {t({ message: 'Open', context: 'verb, button' })}
          </Button>
          <IconButton
            label={t`Dismiss`}
            icon={<X />}
            size="small"
            onClick={() => dismiss(decision.reviewId)}
          />
        </>
      }
    >
      <p dir="auto" className="line-clamp-2 font-medium">
        {getRefusedText(decision)}
      </p>
      <p dir="auto" className="line-clamp-3 text-muted text-sm">
        {getReason(decision)}
      </p>
    </Toast>
  )
}

function getUndoHint({ response, title }: Decision): string {
  if (response === 'approved') return t`Approved “${title}”. Press Z to undo.`
  if (response === 'rejected') return t`Rejected “${title}”. Press Z to undo.`
  return t`Submitted “${title}”. Press Z to undo.`
}

function getDecidedText({ response, title }: Decision): string {
  if (response === 'approved') return t`Approved “${title}”`
  if (response === 'rejected') return t`Rejected “${title}”`
  return t`Submitted “${title}”`
}

function getUnsentText({ response, title }: Decision): string {
  if (response === 'approved') return t`Not sent yet: approval of “${title}”`
  if (response === 'rejected') return t`Not sent yet: rejection of “${title}”`
  return t`Not sent yet: submission of “${title}”`
}

function getRefusedText({ response, title }: Decision): string {
  if (response === 'approved') return t`Couldn't approve “${title}”`
  if (response === 'rejected') return t`Couldn't reject “${title}”`
  return t`Couldn't submit “${title}”`
}

function getReason({ error }: RefusedDecision): string {
  if (error.code === 'content_replaced') return t`The agent sent a new revision before your decision arrived.`
  if (error.code !== 'already_responded') return error.message
  const { respondingUser, response } = error.problem
  if (respondingUser === 'time-out')
    return response === 'approved'
      ? t`It was auto-approved because the deadline passed.`
      : t`It was auto-rejected because the deadline passed.`
  const name = String(respondingUser)
  if (response === 'approved') return t`${name} approved it first.`
  if (response === 'rejected') return t`${name} rejected it first.`
  return t`${name} submitted it first.`
}

/** Adds arrived decisions to the cache. */
function useAnnounceArrivals() {
  const client = useQueryClient()
  useOnDecisionArrived(
    useCallback(
      ({ reviewId, response }: Decision, review: Review) => {
        storeDecision(reviewId, response, review)
        client.setQueryData(reviewKeys.review(reviewId), review)
        client.removeQueries({ queryKey: reviewKeys.draft(reviewId) })
        void refetchReview(client, reviewId)
      },
      [client],
    ),
  )
}

/** A refused decision means that the page is out of date: the review is refetched. */
function useAnnounceRefusals(refused: ReadonlyMap<string, RefusedDecision>) {
  const client = useQueryClient()
  useEffect(() => {
    for (const { reviewId } of refused.values()) void refetchReview(client, reviewId)
  }, [client, refused])
}

import { plural, t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { useVirtualizer } from '@tanstack/react-virtual'
import { EyeOff, Pencil } from 'lucide-react'
import { useCallback, useId, useRef, useState } from 'react'
import { useFormName } from '@/api/forms/names'
import { reviewQueries } from '@/api/review'
import type { ReviewRow } from '@/api/review-filters'
import { Button } from '@/components/button'
import { Dialog } from '@/components/dialog'
import { LabeledField, TextArea } from '@/components/input'
import { Badge, Notice } from '@/components/status'
import {
  applySubmission,
  editedFields,
  type FormDefinition,
  formatValue,
  type Json,
  type Suggestion,
} from '@/form'
import { useDecisionLock } from '@/lib/decision-lock'
import { formatNumber } from '@/lib/i18n'
import { canRetry, countOutcomes, type Outcome } from './bulk-outcomes'
import { getFirstValues, truncate } from './first-values'
import { hasOpened, useOpenedReviews } from './opened-reviews'
import { OutcomeText } from './outcome-text'
import { type LocalDrafts, type OwnDraft, type OwnEdits, useOwnEdits } from './own-edits'
import { useDecideMany } from './use-decide-many'
import { useReviewForm } from './use-review-form'

type Response = 'approved' | 'rejected'
type Props = {
  rows: ReviewRow[]
  response: Response
  localDrafts: LocalDrafts
  onClose: () => void
}

const getActionText = (response: Response, count: number): string =>
  response === 'approved'
    ? plural(count, { one: 'Approve # review', other: 'Approve # reviews' })
    : plural(count, { one: 'Reject # review', other: 'Reject # reviews' })

const getProgressText = (response: Response, decided: number, all: number): string => {
  const [done, total] = [formatNumber(decided), formatNumber(all)]
  return response === 'approved' ? t`${done} of ${total} approved` : t`${done} of ${total} rejected`
}

const getUnseenText = (unseen: number, all: number): string => {
  if (all === 1) return t`Include this review, even though I haven't opened it in this browser`
  const total = formatNumber(all)
  return plural(unseen, {
    one: `Include the # review (of ${total}) that I haven't opened in this browser`,
    other: `Include the # reviews (of ${total}) that I haven't opened in this browser`,
  })
}

const getQuestionText = (response: Response, count: number, reviewType: string): string =>
  response === 'approved'
    ? plural(count, {
        one: `Approve # “${reviewType}” review?`,
        other: `Approve # “${reviewType}” reviews?`,
      })
    : plural(count, {
        one: `Reject # “${reviewType}” review?`,
        other: `Reject # “${reviewType}” reviews?`,
      })

/** Shows what is about to be decided, decides one review at a time, and shows the outcome of each. */
export function DecideDialog({ rows: given, response, localDrafts, onClose }: Props) {
  // The dialog keeps the reviews it opened with, whatever happens to the list behind it.
  const [rows] = useState(given)
  const nameOf = useFormName()
  const opened = useOpenedReviews()
  const [knowsUnseen, setKnowsUnseen] = useState(false)
  const [reason, setReason] = useState('')
  const { outcomes, isRunning, start, stop } = useDecideMany(
    rows,
    response,
    useCallback((reviewId: string) => void localDrafts.delete(reviewId), [localDrafts]),
  )
  const [unseen] = useState(
    () => new Set(rows.filter(row => !hasOpened(opened, row)).map(row => row.reviewId)),
  )
  const tick = useId()
  const content = useRef<HTMLDivElement>(null)
  const own = useOwnEdits(rows, localDrafts)
  const isChecked = own.edits !== null || own.error !== null
  // Other buttons appear there once the edits are known.
  const lock = useDecisionLock(`${response} ${isChecked}`, { content, inDialog: true })
  const unlocked = { disabled: !isChecked || (unseen.size > 0 && !knowsUnseen), locked: lock.isLocked }

  const hasBegun = outcomes.size > 0
  const { done, failed, open, total } = countOutcomes(outcomes)
  const again = [...outcomes.values()].filter(canRetry).length
  const edited = own.edits ? [...own.edits.current.keys(), ...own.edits.outdated] : []
  const hasEdits = edited.length > 0
  // Chosen with the button that started it, and kept for retries.
  const [sent, setSent] = useState<OwnEdits | null>(null)
  const send = (edits: OwnEdits | null) => {
    setSent(edits)
    void start(response === 'rejected' ? reason.trim() : '', edits)
  }

  return (
    <Dialog
      open
      width="medium"
      onClose={isRunning ? stop : onClose}
      title={
        hasBegun
          ? getActionText(response, rows.length)
          : getQuestionText(response, rows.length, rows[0] ? nameOf(rows[0]) : '')
      }
      description={
        hasBegun
          ? undefined
          : response === 'approved' && !hasEdits
            ? t`Everything will be approved exactly as suggested. You can't undo this.`
            : t`You can't undo this.`
      }
      actions={
        hasBegun ? (
          <>
            {isRunning && <Button onClick={stop}>{t({ message: 'Stop', context: 'verb, button' })}</Button>}
            {!isRunning && again > 0 && (
              <Button kind="primary" onClick={() => send(sent)}>
                {done + failed === 0 || open > 0
                  ? t`Continue (${{ count: formatNumber(again) }} left)`
                  : t`Try again (${{ count: formatNumber(again) }})`}
              </Button>
            )}
            {!isRunning && <Button onClick={onClose}>{t`Close`}</Button>}
          </>
        ) : (
          <>
            <Button onClick={onClose}>{t`Cancel`}</Button>
            {response === 'approved' && hasEdits ? (
              <>
                <Button {...unlocked} onClick={event => lock.allows(event) && send(null)}>
                  {t`Approve originals`}
                </Button>
                <Button {...unlocked} kind="good" onClick={event => lock.allows(event) && send(own.edits)}>
                  {t`Approve with my edits`}
                </Button>
              </>
            ) : (
              <Button
                {...unlocked}
                kind={response === 'approved' ? 'good' : 'bad'}
                onClick={event => lock.allows(event) && send(null)}
              >
                {getActionText(response, rows.length)}
              </Button>
            )}
          </>
        )
      }
    >
      <div ref={content} className="flex flex-col gap-4">
        {hasBegun && (
          <div className="flex flex-col gap-1.5">
            <progress
              aria-label={t`Progress`}
              max={total}
              value={done + failed}
              className="h-1.5 w-full overflow-hidden rounded-full bg-sunken [&::-moz-progress-bar]:bg-accent-solid [&::-webkit-progress-bar]:bg-sunken [&::-webkit-progress-value]:bg-accent-solid"
            />
            <p role="status">
              {getProgressText(response, done, total)}
              {failed > 0 && (
                <span className="text-bad"> · {t`${{ failed: formatNumber(failed) }} failed`}</span>
              )}
              {!isRunning && open > 0 && (
                <span className="text-muted"> · {t`stopped, ${{ left: formatNumber(open) }} left`}</span>
              )}
            </p>
          </div>
        )}
        <Previews
          rows={hasBegun && !isRunning ? sortFailedFirst(rows, outcomes) : rows}
          unseen={unseen}
          edits={own.edits}
          sent={sent}
          outcomes={outcomes}
          response={response}
        />
        {!hasBegun && (
          <EditsNotice
            response={response}
            total={rows.length}
            edits={own.edits}
            error={own.error}
            onRetry={own.retry}
          />
        )}
        {!hasBegun && response === 'rejected' && (
          <LabeledField label={t`Reason (optional)`} help={t`Sent to the agent with each rejection.`}>
            {attributes => (
              <TextArea
                {...attributes}
                value={reason}
                maxLength={10_000}
                onChange={event => setReason(event.target.value)}
              />
            )}
          </LabeledField>
        )}
        {!hasBegun && unseen.size > 0 && (
          <label
            htmlFor={tick}
            className="flex items-start gap-2.5 rounded-lg bg-warn-soft px-3 py-2.5 pointer-coarse:min-h-11"
          >
            <input
              id={tick}
              type="checkbox"
              checked={knowsUnseen}
              onChange={event => setKnowsUnseen(event.target.checked)}
              className="mt-0.5 size-4 shrink-0 accent-(--accent-solid)"
            />
            <span>{getUnseenText(unseen.size, rows.length)}</span>
          </label>
        )}
      </div>
    </Dialog>
  )
}

/** Says what will happen to the member's edits. */
function EditsNotice({
  response,
  total,
  edits,
  error,
  onRetry,
}: {
  response: Response
  total: number
  edits: OwnEdits | null
  error: Error | null
  onRetry: () => void
}) {
  if (error)
    return (
      <div role="alert">
        <Notice tone="bad" actions={<Button onClick={onRetry}>{t`Try again`}</Button>}>
          <strong className="font-semibold">{t`Couldn't check for your edits.`}</strong> {error.message}{' '}
          {t`If you edited any of these reviews, your edits won't be sent.`}
        </Notice>
      </div>
    )
  if (edits === null)
    return (
      <p role="status" className="text-muted">
        {t`Checking for your edits…`}
      </p>
    )
  const count = edits.current.size + edits.outdated.size
  if (count === 0) return null
  const old = edits.outdated.size
  return (
    <div role="status">
      <Notice tone="warn">
        <strong className="font-semibold">{getEditedText(count, total)}</strong>{' '}
        {response === 'approved'
          ? t`Approve with your edits, or approve the originals and discard your edits.`
          : t`Rejecting discards your edits.`}
        {response === 'approved' && old > 0 && (
          <>
            {' '}
            {plural(old, {
              one: 'In # review, your edits are for an older revision. Open the review to use them.',
              other: 'In # reviews, your edits are for older revisions. Open the reviews to use them.',
            })}
          </>
        )}
      </Notice>
    </div>
  )
}

const getEditedText = (count: number, all: number): string => {
  const total = formatNumber(all)
  return plural(count, {
    one: `# of ${total} has edits you haven't submitted.`,
    other: `# of ${total} have edits you haven't submitted.`,
  })
}

const isFailed = (outcome: Outcome | undefined) => outcome !== undefined && outcome.kind !== 'done'

/** At the end, reviews that need attention come first. */
const sortFailedFirst = (rows: ReviewRow[], outcomes: ReadonlyMap<string, Outcome>): ReviewRow[] =>
  rows.toSorted(
    (a, b) => Number(isFailed(outcomes.get(b.reviewId))) - Number(isFailed(outcomes.get(a.reviewId))),
  )

type PreviewsProps = {
  rows: ReviewRow[]
  unseen: ReadonlySet<string>
  edits: OwnEdits | null
  /** The edits that were sent. */
  sent: OwnEdits | null
  outcomes: ReadonlyMap<string, Outcome>
  response: Response
}

/** The reviews with their first values. Only visible ones are fetched. */
function Previews({ rows, unseen, edits, sent, outcomes, response }: PreviewsProps) {
  const nameOf = useFormName()
  const scroller = useRef<HTMLDivElement>(null)
  const virtualizer = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => 56,
    getItemKey: index => rows[index]?.reviewId ?? index,
    overscan: 4,
  })
  return (
    <section
      ref={scroller}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable areas must be focusable.
      tabIndex={0}
      aria-label={response === 'approved' ? t`Reviews to approve` : t`Reviews to reject`}
      className="max-h-[40dvh] overflow-y-auto rounded-lg border border-line"
    >
      <ul className="relative" style={{ height: virtualizer.getTotalSize() }}>
        {virtualizer.getVirtualItems().map(item => {
          const row = rows[item.index]
          if (!row) return null
          const outcome = outcomes.get(row.reviewId)
          return (
            <li
              key={row.reviewId}
              ref={virtualizer.measureElement}
              data-index={item.index}
              style={{ transform: `translateY(${item.start}px)` }}
              className="absolute inset-x-0 top-0 flex min-h-14 flex-col justify-center gap-0.5 border-line border-b px-3 py-1.5 last:border-b-0"
            >
              <div className="flex items-center gap-2">
                <span dir="auto" className="min-w-0 flex-1 truncate font-medium">
                  {row.title || nameOf(row)}
                </span>
                {outcome === undefined &&
                  (edits?.current.has(row.reviewId) || edits?.outdated.has(row.reviewId)) && (
                    <Badge tone="accent">
                      <Pencil />
                      {t`Your edits`}
                    </Badge>
                  )}
                {outcome === undefined && unseen.has(row.reviewId) && (
                  <Badge tone="warn">
                    <EyeOff />
                    {t`Not opened`}
                  </Badge>
                )}
              </div>
              <div className="text-sm">
                {outcome ? (
                  <OutcomeText
                    reviewId={row.reviewId}
                    outcome={outcome}
                    response={response}
                    isEdited={sent?.current.has(row.reviewId) ?? false}
                  />
                ) : (
                  <Values reviewId={row.reviewId} draft={edits?.current.get(row.reviewId)} />
                )}
              </div>
            </li>
          )
        })}
      </ul>
    </section>
  )
}

/** The member's changes, if there are any; otherwise the first values. */
function Values({ reviewId, draft }: { reviewId: string; draft: OwnDraft['data'] | undefined }) {
  const { review, form, error } = useReviewForm(reviewId)
  const suggestion = useQuery({
    ...reviewQueries.suggestion(reviewId, review?.revision ?? 0),
    enabled: review !== undefined,
  }).data
  if (error) return <span className="text-bad">{error.message}</span>
  if (!form || !suggestion) return <span className="text-muted">…</span>
  const changes = draft
    ? getChanges(form as unknown as FormDefinition, suggestion as unknown as Suggestion, draft)
    : []
  if (changes.length > 0)
    return (
      <ul className="flex flex-col gap-0.5">
        {changes.map(({ id, label, before, now }) => {
          const field = <bdi>{label}</bdi>
          const change = (
            <>
              <del>{before || t({ message: 'empty', context: 'value of a field' })}</del>{' '}
              <span aria-hidden="true">→</span>{' '}
              <ins className="text-ink no-underline">
                {now || t({ message: 'empty', context: 'value of a field' })}
              </ins>
            </>
          )
          return (
            <li key={id} className="text-muted [overflow-wrap:anywhere]">
              <Trans>
                {field}: {change}
              </Trans>
            </li>
          )
        })}
      </ul>
    )
  const values = getFirstValues(form.fields, suggestion, form.titleField)
  return (
    <span className="line-clamp-1 text-muted">
      {values.map(({ label, text }, index) => {
        const field = <bdi>{label}</bdi>
        const value = <bdi className="text-ink">{text}</bdi>
        return (
          <span key={label}>
            {index > 0 && ' · '}
            <Trans>
              {field}: {value}
            </Trans>
          </span>
        )
      })}
      {values.length === 0 && t`No preview`}
    </span>
  )
}

/** The changes as text, in the order of the fields. Values that differ only in what is cut off say so. */
function getChanges(form: FormDefinition, suggestion: Suggestion, draft: OwnDraft['data']) {
  const values = applySubmission(form, suggestion, draft as Json)
  const edited = new Set(editedFields(form, suggestion, values))
  return form.fields
    .filter(({ id }) => edited.has(id))
    .map(field => {
      const words = (value: Json | undefined) =>
        truncate(formatValue(field, value ?? null, suggestion.configs?.[field.id]))
      const [before, now] = [words(suggestion.values[field.id]), words(values[field.id])]
      return { id: field.id, label: field.label, before, now: before === now ? t`edited` : now }
    })
}

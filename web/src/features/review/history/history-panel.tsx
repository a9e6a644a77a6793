import { t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useSyncExternalStore } from 'react'
import { deliveryQueries } from '@/api/deliveries'
import { isDecidable, type Review, reviewQueries } from '@/api/review'
import { RelativeTime } from '@/components/relative-time'
import { ErrorState, Spinner } from '@/components/status'
import type { FormDefinition } from '@/form'
import { getFieldConfig, isCorrectable } from '@/form/values'
import { classes } from '@/lib/classes'
import { formatNumber } from '@/lib/i18n'
import { changeValue } from '../edit'
import { memberEdits } from '../edit-store'
import { getField, getLabels } from '../value-text'
import { DeliveryCard } from './delivery-card'
import { HistoryEntryText } from './history-entry-text'
import { RevisionCompare } from './revision-compare'
import { buildTimeline, type TimelineEntry } from './timeline'

/** The review's history: who did what, the agent's revisions, and the deliveries. */
export function HistoryPanel({ review }: { review: Review }) {
  const { reviewId } = review
  const history = useQuery(reviewQueries.history(reviewId))
  const revisions = useQuery(reviewQueries.revisions(reviewId))
  const deliveries = useQuery(deliveryQueries.ofReview(reviewId))
  const form = useQuery(reviewQueries.form(review)).data as FormDefinition | undefined
  const error = history.error ?? revisions.error ?? deliveries.error
  if (error && !history.data)
    return <ErrorState title={t`Couldn't load the history`} error={error} onRetry={() => history.refetch()} />
  if (!history.data || !revisions.data || !form)
    return (
      <div className="grid place-items-center p-8">
        <Spinner />
      </div>
    )
  const entries = buildTimeline(history.data, revisions.data, {
    agentName: review.agentName,
    reason: review.reviewResult?.reason,
  })
  return (
    <div className="flex flex-col gap-6 px-4 py-4">
      <Timeline entries={entries} form={form} />
      {revisions.data.length > 1 && (
        <Part title={t`Revisions`}>
          <Revisions review={review} form={form} revisions={revisions.data} />
        </Part>
      )}
      <Part title={t`Deliveries`}>
        {deliveries.data?.length ? (
          <ul className="flex flex-col gap-2">
            {deliveries.data.map(row => (
              <DeliveryCard key={row.deliveryId} row={row} reviewId={reviewId} />
            ))}
          </ul>
        ) : (
          <p className="text-muted text-sm">
            {deliveries.isPending
              ? t`Loading…`
              : (review.deliveryNote ?? t`No deliveries yet. The result is sent when the review is decided.`)}
          </p>
        )}
      </Part>
    </div>
  )
}

function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section>
      <h3 className="mb-2 font-medium text-muted text-sm">{title}</h3>
      {children}
    </section>
  )
}

function Revisions({
  review,
  form,
  revisions,
}: {
  review: Review
  form: FormDefinition
  revisions: Parameters<typeof RevisionCompare>[0]['revisions']
}) {
  const { reviewId } = review
  const edit = useSyncExternalStore(memberEdits.subscribe, () => memberEdits.edit(reviewId))
  const canTake = (fieldId: string) => {
    const field = getField(form, fieldId)
    if (!isDecidable(review) || !edit || !field || !Object.hasOwn(edit.suggestion.values, fieldId))
      return false
    const config = getFieldConfig(edit.suggestion, fieldId)
    return isCorrectable(field, edit.suggestion.values[fieldId] ?? null, edit.trigger, config)
  }
  return (
    <RevisionCompare
      form={form}
      configs={edit?.suggestion.configs}
      revisions={revisions}
      canTake={canTake}
      onTake={(fieldId, value) => memberEdits.change(reviewId, now => changeValue(now, fieldId, value))}
    />
  )
}

const DOTS = {
  plain: 'bg-line-strong',
  good: 'bg-good',
  bad: 'bg-bad',
  warn: 'bg-warn',
  accent: 'bg-accent',
} as const

function Timeline({ entries, form }: { entries: readonly TimelineEntry[]; form: FormDefinition }) {
  return (
    <ol className="relative flex flex-col gap-3.5 before:absolute before:top-2 before:bottom-2 before:start-[3px] before:w-px before:bg-line">
      {entries.map((moment, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the log only grows at its end.
        <li key={index} className="relative ps-5 text-sm">
          <span
            aria-hidden="true"
            className={classes('absolute start-0 top-[7px] size-[7px] rounded-full', DOTS[moment.tone])}
          />
          <p className="break-words">
            <HistoryEntryText moment={moment} />
            {moment.revision !== undefined && moment.revision > 1 && (
              <span className="text-muted">
                {' '}
                {t`· revision ${{ revision: formatNumber(moment.revision) }}`}
              </span>
            )}
          </p>
          {moment.quote && (
            <blockquote
              dir="auto"
              className="mt-1 whitespace-pre-wrap break-words border-line border-s-2 ps-2 text-muted"
            >
              {moment.quote}
            </blockquote>
          )}
          <Fields labels={getLabels(form, moment.fieldIds ?? [])} />
          <p className="text-muted text-xs">
            <RelativeTime at={moment.at} />
          </p>
        </li>
      ))}
    </ol>
  )
}

function Fields({ labels }: { labels: string }) {
  if (!labels) return null
  return (
    <p dir="auto" className="mt-0.5 text-muted">
      {t`Fields: ${{ fields: labels }}`}
    </p>
  )
}

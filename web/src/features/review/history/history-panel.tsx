import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useSyncExternalStore } from 'react'
import { deliveryQueries } from '@/api/deliveries'
import { isOpenTo, type Review, reviewQueries } from '@/api/review'
import { Failure, Spinner } from '@/components/status'
import { Time } from '@/components/time'
import type { FormDefinition } from '@/form'
import { configOf, isCorrectable } from '@/form/values'
import { classes } from '@/lib/classes'
import { memberEdits } from '../edit-store'
import { changeValue } from '../editing'
import { fieldOf } from '../value-text'
import { DeliveryCard } from './delivery-card'
import { RevisionCompare } from './revision-compare'
import { type Moment, timeline } from './timeline'

/** What has happened to the review: who did what, what the agent sent each time, and what was delivered. */
export function HistoryPanel({ review }: { review: Review }) {
  const { reviewId } = review
  const history = useQuery(reviewQueries.history(reviewId))
  const revisions = useQuery(reviewQueries.revisions(reviewId))
  const deliveries = useQuery(deliveryQueries.ofReview(reviewId))
  const form = useQuery(reviewQueries.form(review)).data as FormDefinition | undefined
  const error = history.error ?? revisions.error ?? deliveries.error
  if (error && !history.data) return <Failure error={error} onRetry={() => history.refetch()} />
  if (!history.data || !revisions.data || !form)
    return (
      <div className="grid place-items-center p-8">
        <Spinner />
      </div>
    )
  const moments = timeline(history.data, revisions.data, {
    agentName: review.agentName,
    reason: review.reviewResult?.reason,
  })
  return (
    <div className="flex flex-col gap-6 px-4 py-4">
      <Timeline moments={moments} form={form} />
      {revisions.data.length > 1 && (
        <Part title="Revisions">
          <Revisions review={review} form={form} revisions={revisions.data} />
        </Part>
      )}
      <Part title="Deliveries">
        {deliveries.data?.length ? (
          <ul className="flex flex-col gap-2">
            {deliveries.data.map(row => (
              <DeliveryCard key={row.deliveryId} row={row} reviewId={reviewId} />
            ))}
          </ul>
        ) : (
          <p className="text-muted text-sm">
            {deliveries.isPending
              ? 'Loading…'
              : (review.deliveryNote ?? 'Nothing was sent yet. The result is delivered once it is decided.')}
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
    const field = fieldOf(form, fieldId)
    if (!isOpenTo(review) || !edit || !field || !Object.hasOwn(edit.suggestion.values, fieldId)) return false
    const config = configOf(edit.suggestion, fieldId)
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

function Timeline({ moments, form }: { moments: readonly Moment[]; form: FormDefinition }) {
  return (
    <ol className="relative flex flex-col gap-3.5 before:absolute before:top-2 before:bottom-2 before:left-[3px] before:w-px before:bg-line">
      {moments.map((moment, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the log only grows at its end.
        <li key={index} className="relative pl-5 text-sm">
          <span
            aria-hidden="true"
            className={classes('absolute top-[7px] left-0 size-[7px] rounded-full', DOTS[moment.tone])}
          />
          <p className="break-words">
            <span className="font-medium">{moment.who}</span> {moment.what}
            {moment.revision !== undefined && moment.revision > 1 && (
              <span className="text-muted"> · revision {moment.revision}</span>
            )}
          </p>
          {moment.quote && (
            <blockquote
              dir="auto"
              className="mt-1 whitespace-pre-wrap break-words border-line border-l-2 pl-2 text-muted"
            >
              {moment.quote}
            </blockquote>
          )}
          {moment.fieldIds && moment.fieldIds.length > 0 && (
            <p className="mt-0.5 text-muted">
              About {moment.fieldIds.map(id => fieldOf(form, id)?.label ?? id).join(', ')}
            </p>
          )}
          <p className="text-muted text-xs">
            <Time at={moment.at} />
          </p>
        </li>
      ))}
    </ol>
  )
}

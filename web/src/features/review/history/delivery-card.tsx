import { useQuery } from '@tanstack/react-query'
import { Braces, ChevronRight, RotateCw, Square } from 'lucide-react'
import { useState } from 'react'
import {
  type Attempt,
  type DeliveryRow,
  deliveryQueries,
  isSettled,
  useDeliveryOrder,
} from '@/api/deliveries'
import { useMay } from '@/api/session'
import { Button } from '@/components/button'
import { Badge, type Tone } from '@/components/status'
import { Time } from '@/components/time'
import { classes } from '@/lib/classes'
import { moment } from '@/lib/time'
import { JsonDialog, laidOut } from '../json-dialog'

const TARGETS = { agent: 'To the agent', tool: 'To the tool', audit: 'To the audit webhook' } as const

const STATES: Record<DeliveryRow['status'], readonly [string, Tone]> = {
  pending: ['Pending', 'plain'],
  delivering: ['Delivering', 'accent'],
  succeeded: ['Delivered', 'good'],
  retrying: ['Retrying', 'warn'],
  dead: ['Failed', 'bad'],
}

/** One webhook call: where it went, how each attempt ended, and what can be done. */
export function DeliveryCard({ row, reviewId }: { row: DeliveryRow; reviewId: string }) {
  const [isOpen, setOpen] = useState(row.status !== 'succeeded')
  const [isEventOpen, setEventOpen] = useState(false)
  const details = useQuery({ ...deliveryQueries.one(reviewId, row.deliveryId), enabled: isOpen })
  const delivery = details.data && details.data.updatedAt >= row.updatedAt ? details.data : row
  const [word, tone] = delivery.retriesCancelled ? (['Stopped', 'bad'] as const) : STATES[delivery.status]
  return (
    <li className="rounded-md border border-line bg-surface">
      <button
        type="button"
        aria-expanded={isOpen}
        onClick={() => setOpen(!isOpen)}
        className="flex min-h-11 w-full items-center gap-2 px-2.5 py-1.5 text-left"
      >
        <ChevronRight
          size={14}
          aria-hidden="true"
          className={classes('shrink-0 text-muted transition-transform', isOpen && 'rotate-90')}
        />
        <span className="min-w-0 flex-1">
          <span className="block truncate font-medium text-sm">{TARGETS[delivery.target]}</span>
          <span className="block truncate text-muted text-xs">
            {delivery.event} · {hostOf(delivery.webhook)}
          </span>
        </span>
        <Badge tone={tone}>{word}</Badge>
      </button>
      {isOpen && (
        <div className="flex flex-col gap-2 border-line border-t px-2.5 py-2 text-sm">
          <p className="break-all text-muted text-xs">{delivery.webhook}</p>
          {details.data ? (
            <Attempts attempts={details.data.attempts} />
          ) : (
            <p className="text-muted">{details.error ? details.error.message : 'Loading…'}</p>
          )}
          {delivery.nextRetryAt && !isSettled(delivery) && (
            <p className="text-muted">
              Next attempt <Time at={delivery.nextRetryAt} />, {delivery.attemptCount} of{' '}
              {delivery.maxAttempts} made
            </p>
          )}
          <Orders row={delivery} reviewId={reviewId} onEvent={() => setEventOpen(true)} />
        </div>
      )}
      <EventDialog open={isEventOpen} onClose={() => setEventOpen(false)} deliveryId={row.deliveryId} />
    </li>
  )
}

function Orders({ row, reviewId, onEvent }: { row: DeliveryRow; reviewId: string; onEvent: () => void }) {
  const mayDeliver = useMay('deliver')
  const order = useDeliveryOrder(reviewId, row.deliveryId)
  return (
    <div className="flex flex-wrap items-center gap-1.5">
      {mayDeliver && isSettled(row) && (
        <Button
          size="small"
          icon={<RotateCw size={13} />}
          busy={order.isPending}
          onClick={() => order.mutate('retry')}
        >
          {row.status === 'succeeded' ? 'Send again' : 'Try again'}
        </Button>
      )}
      {mayDeliver && !isSettled(row) && (
        <Button
          size="small"
          icon={<Square size={12} />}
          busy={order.isPending}
          onClick={() => order.mutate('cancel')}
        >
          Stop
        </Button>
      )}
      <Button size="small" kind="quiet" icon={<Braces size={13} />} onClick={onEvent}>
        Event
      </Button>
      {order.error && (
        <p role="alert" className="basis-full text-bad">
          {order.error.message}
        </p>
      )}
    </div>
  )
}

const SCHEDULED = { inline: 'first', 'cloud-task': 'automatic', manual: 'by hand' } as const

function Attempts({ attempts }: { attempts: readonly Attempt[] }) {
  if (attempts.length === 0) return <p className="text-muted">No attempt yet.</p>
  return (
    <ol className="flex flex-col gap-1">
      {attempts.map(attempt => (
        <li key={attempt.attemptId} className="grid grid-cols-[4.5rem_1fr_auto] items-baseline gap-x-2">
          <span className={classes('font-medium tabular-nums', attempt.ok ? 'text-good' : 'text-bad')}>
            {attempt.statusCode || 'No answer'}
          </span>
          <span className="min-w-0 text-muted">
            <span title={moment(attempt.at)}>
              <Time at={attempt.at} />
            </span>{' '}
            · {SCHEDULED[attempt.scheduledBy]}
          </span>
          <span className="text-muted tabular-nums">
            {attempt.durationMs !== undefined && `${attempt.durationMs} ms`}
          </span>
          {!attempt.ok && attempt.statusText && (
            <span className="col-span-full break-words text-muted text-xs">{attempt.statusText}</span>
          )}
          {attempt.note && (
            <span className="col-span-full break-words text-muted text-xs">{attempt.note}</span>
          )}
        </li>
      ))}
    </ol>
  )
}

function EventDialog({
  open,
  onClose,
  deliveryId,
}: {
  open: boolean
  onClose: () => void
  deliveryId: string
}) {
  const event = useQuery({ ...deliveryQueries.event(deliveryId), enabled: open })
  const text = event.error
    ? event.error.message
    : event.data === undefined
      ? null
      : laidOut(String(event.data))
  return <JsonDialog open={open} onClose={onClose} title="The event as it is posted" text={text} />
}

function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).host : url
}

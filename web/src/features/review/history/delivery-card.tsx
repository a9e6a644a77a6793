import type { MessageDescriptor } from '@lingui/core'
import { msg, t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { Braces, ChevronRight, RotateCw, Square } from 'lucide-react'
import { useState } from 'react'
import {
  type Attempt,
  type DeliveryRow,
  deliveryQueries,
  isSettled,
  useDeliveryAction,
} from '@/api/deliveries'
import { useMay } from '@/api/session'
import { Button } from '@/components/button'
import { RelativeTime } from '@/components/relative-time'
import { Badge, type Tone } from '@/components/status'
import { classes } from '@/lib/classes'
import { formatNumber, i18n } from '@/lib/i18n'
import { formatDateTime } from '@/lib/time'
import { formatJson, JsonDialog } from '../json-dialog'

const TARGETS = { agent: msg`Agent webhook`, tool: msg`Tool webhook`, audit: msg`Audit webhook` } as const

const STATES: Record<DeliveryRow['status'], readonly [MessageDescriptor, Tone]> = {
  pending: [msg({ message: 'Queued', context: 'webhook delivery' }), 'plain'],
  delivering: [msg({ message: 'Sending', context: 'webhook delivery' }), 'accent'],
  succeeded: [msg({ message: 'Delivered', context: 'webhook delivery' }), 'good'],
  retrying: [msg({ message: 'Retrying', context: 'webhook delivery' }), 'warn'],
  dead: [msg({ message: 'Failed', context: 'webhook delivery' }), 'bad'],
}

const CANCELED = [msg({ message: 'Canceled', context: 'webhook delivery' }), 'bad'] as const

/** One webhook delivery: its endpoint, attempts and actions. */
export function DeliveryCard({ row, reviewId }: { row: DeliveryRow; reviewId: string }) {
  const [isOpen, setOpen] = useState(row.status !== 'succeeded')
  const [isEventOpen, setEventOpen] = useState(false)
  const details = useQuery({ ...deliveryQueries.one(reviewId, row.deliveryId), enabled: isOpen })
  const delivery = details.data && details.data.updatedAt >= row.updatedAt ? details.data : row
  const [word, tone] = delivery.retriesCancelled ? CANCELED : STATES[delivery.status]
  const made = formatNumber(delivery.attemptCount)
  const most = formatNumber(delivery.maxAttempts)
  return (
    <li className="rounded-md border border-line bg-surface">
      <button
        type="button"
        aria-expanded={isOpen}
        onClick={() => setOpen(!isOpen)}
        className="flex min-h-11 w-full items-center gap-2 px-2.5 py-1.5 text-start"
      >
        <ChevronRight
          className={classes(
            'icon-small shrink-0 text-muted transition-transform',
            isOpen && 'rotate-90 rtl:-rotate-90',
          )}
        />
        <span className="min-w-0 flex-1">
          <span className="block truncate font-medium text-sm">{i18n._(TARGETS[delivery.target])}</span>
          <span className="block truncate text-muted text-xs">
            {delivery.event} · {getHost(delivery.webhook)}
          </span>
        </span>
        <Badge tone={tone}>{i18n._(word)}</Badge>
      </button>
      {isOpen && (
        <div className="flex flex-col gap-2 border-line border-t px-2.5 py-2 text-sm">
          <p className="break-all text-muted text-xs">{delivery.webhook}</p>
          {details.data ? (
            <Attempts attempts={details.data.attempts} />
          ) : (
            <p className="text-muted">{details.error ? details.error.message : t`Loading…`}</p>
          )}
          {delivery.nextRetryAt && !isSettled(delivery) && (
            <p className="text-muted">
              <Trans>
                Next attempt <RelativeTime at={delivery.nextRetryAt} /> ({made} of {most} attempts used)
              </Trans>
            </p>
          )}
          <DeliveryActions row={delivery} reviewId={reviewId} onEvent={() => setEventOpen(true)} />
        </div>
      )}
      <EventDialog open={isEventOpen} onClose={() => setEventOpen(false)} deliveryId={row.deliveryId} />
    </li>
  )
}

function DeliveryActions({
  row,
  reviewId,
  onEvent,
}: {
  row: DeliveryRow
  reviewId: string
  onEvent: () => void
}) {
  const mayDeliver = useMay('deliver')
  const order = useDeliveryAction(reviewId, row.deliveryId)
  return (
    <div className="flex flex-wrap items-center gap-1.5">
      {mayDeliver && isSettled(row) && (
        <Button size="small" icon={<RotateCw />} busy={order.isPending} onClick={() => order.mutate('retry')}>
          {row.status === 'succeeded' ? t`Resend` : t`Retry`}
        </Button>
      )}
      {mayDeliver && !isSettled(row) && (
        <Button size="small" icon={<Square />} busy={order.isPending} onClick={() => order.mutate('cancel')}>
          {t`Cancel delivery`}
        </Button>
      )}
      <Button size="small" kind="quiet" icon={<Braces />} onClick={onEvent}>
        {t`View payload`}
      </Button>
      {order.error && (
        <p role="alert" className="basis-full text-bad">
          {order.error.message}
        </p>
      )}
    </div>
  )
}

const SCHEDULED = {
  inline: msg`first attempt`,
  'cloud-task': msg`automatic retry`,
  manual: msg`manual retry`,
} as const

function Attempts({ attempts }: { attempts: readonly Attempt[] }) {
  if (attempts.length === 0) return <p className="text-muted">{t`No attempts yet`}</p>
  return (
    <ol className="flex flex-col gap-1">
      {attempts.map(attempt => (
        <li key={attempt.attemptId} className="grid grid-cols-[4.5rem_1fr_auto] items-baseline gap-x-2">
          <span className={classes('font-medium tabular-nums', attempt.ok ? 'text-good' : 'text-bad')}>
            {attempt.statusCode || t`No response`}
          </span>
          <span className="min-w-0 text-muted">
            <span title={formatDateTime(attempt.at)}>
              <RelativeTime at={attempt.at} />
            </span>{' '}
            · {i18n._(SCHEDULED[attempt.scheduledBy])}
          </span>
          <span className="text-muted tabular-nums">
            {attempt.durationMs !== undefined &&
              formatNumber(attempt.durationMs, { style: 'unit', unit: 'millisecond' })}
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
      : formatJson(String(event.data))
  return <JsonDialog open={open} onClose={onClose} title={t`Webhook payload`} text={text} />
}

function getHost(url: string): string {
  return URL.canParse(url) ? new URL(url).host : url
}

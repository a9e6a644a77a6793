import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { CircleCheck, CircleX, OctagonX, RotateCw } from 'lucide-react'
import type { ReactNode } from 'react'
import {
  type Delivery,
  deliveryEventQuery,
  deliveryQuery,
  useActOnDeliveries,
} from '@/api/settings/deliveries'
import { Button } from '@/components/button'
import { Copy } from '@/components/copy'
import { Dialog } from '@/components/dialog'
import { FormFault } from '@/components/form-fault'
import { Badge, Failure, Notice, Spinner } from '@/components/status'
import { Time } from '@/components/time'
import { moment } from '@/lib/time'
import { CodeBox, pretty } from '../json-text'
import { isSettled, ORDERED, STATUSES, TARGETS } from './words'

type Props = {
  deliveryId: string
  agentNames: ReadonlyMap<string, string>
  mayDeliver: boolean
  onClose: () => void
}

/** One delivery: where it goes, every attempt, and the event to the letter. */
export function DeliveryDialog({ deliveryId, agentNames, mayDeliver, onClose }: Props) {
  const delivery = useQuery(deliveryQuery(deliveryId))
  const act = useActOnDeliveries()
  const refused = act.data?.find(outcome => !outcome.ok)?.error?.detail
  const run = (what: 'retry' | 'cancel') => act.mutate({ act: what, deliveryIds: [deliveryId] })
  const settled = delivery.data ? isSettled(delivery.data) : null
  return (
    <Dialog
      open
      onClose={onClose}
      width="medium"
      title={delivery.data?.event ?? 'Delivery'}
      actions={
        <>
          {mayDeliver && settled === false && (
            <Button icon={<OctagonX size={14} />} busy={act.isPending} onClick={() => run('cancel')}>
              Stop the retries
            </Button>
          )}
          {mayDeliver && settled && (
            <Button icon={<RotateCw size={14} />} busy={act.isPending} onClick={() => run('retry')}>
              Retry
            </Button>
          )}
          <Button onClick={onClose}>Close</Button>
        </>
      }
    >
      {delivery.isPending && <Spinner />}
      {delivery.isError && <Failure error={delivery.error} onRetry={() => delivery.refetch()} />}
      {delivery.data && (
        <div className="flex flex-col gap-5">
          <FormFault error={act.error} />
          {refused && (
            <div role="alert">
              <Notice tone="bad">{refused}</Notice>
            </div>
          )}
          <Facts delivery={delivery.data} agentName={agentNames.get(delivery.data.agentId)} />
          <Attempts delivery={delivery.data} />
          <EventText deliveryId={deliveryId} />
        </div>
      )}
    </Dialog>
  )
}

function Facts({ delivery, agentName }: { delivery: Delivery; agentName?: string }) {
  return (
    <dl className="grid grid-cols-[auto_1fr] gap-x-5 gap-y-1.5">
      <Fact label="Status">
        <Badge tone={STATUSES[delivery.status].tone}>
          {delivery.retriesCancelled ? 'Stopped' : STATUSES[delivery.status].label}
        </Badge>
        {delivery.nextRetryAt && (
          <span className="ml-2 text-muted">
            next attempt <Time at={delivery.nextRetryAt} />
          </span>
        )}
      </Fact>
      <Fact label="To">
        {TARGETS[delivery.target]}{' '}
        <code className="font-mono text-sm [overflow-wrap:anywhere]">{delivery.webhook}</code>
        <span className="text-muted text-sm"> (address of the {SOURCES[delivery.urlSource]})</span>
      </Fact>
      <Fact label="Agent">{agentName ?? delivery.agentId}</Fact>
      {delivery.formName && <Fact label="Review type">{delivery.formName}</Fact>}
      {delivery.reviewId && (
        <Fact label="Review">
          <Link
            to="/reviews/$reviewId"
            params={{ reviewId: delivery.reviewId }}
            className="text-accent underline underline-offset-2"
          >
            Open the review
          </Link>
        </Fact>
      )}
      <Fact label="Event of">{moment(delivery.triggeredAt)}</Fact>
      <Fact label="ID">
        <code className="font-mono text-sm [overflow-wrap:anywhere]">{delivery.deliveryId}</code>
      </Fact>
    </dl>
  )
}

const SOURCES = {
  request: 'request itself',
  form: 'review type',
  agent: 'agent',
  account: 'workspace',
} as const

function Fact({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div className="contents">
      <dt className="text-muted">{label}</dt>
      <dd className="min-w-0">{children}</dd>
    </div>
  )
}

function Attempts({ delivery }: { delivery: Delivery }) {
  return (
    <section>
      <h3 className="mb-1 font-semibold">
        Attempts{' '}
        <span className="font-normal text-muted text-sm">
          {delivery.attemptCount} of {delivery.maxAttempts} automatic
        </span>
      </h3>
      {delivery.attempts.length === 0 && <p className="text-muted">None yet.</p>}
      <ol>
        {delivery.attempts.map(attempt => (
          <li
            key={attempt.attemptId}
            className="flex items-start gap-3 border-line border-b py-1.5 last:border-b-0"
          >
            {attempt.ok ? (
              <CircleCheck size={15} aria-label="Succeeded" className="mt-1 shrink-0 text-good" />
            ) : (
              <CircleX size={15} aria-label="Failed" className="mt-1 shrink-0 text-bad" />
            )}
            <div className="min-w-0 flex-1 [overflow-wrap:anywhere]">
              {attempt.statusCode
                ? `${attempt.statusCode} ${attempt.statusText ?? ''}`
                : (attempt.statusText ?? 'No answer')}
              {attempt.note && <p className="text-muted text-sm">{attempt.note}</p>}
            </div>
            <div className="text-right text-muted text-sm">
              <p>{moment(attempt.at)}</p>
              <p>
                {ORDERED[attempt.scheduledBy]}
                {attempt.durationMs !== undefined && ` · ${attempt.durationMs?.toLocaleString('en')} ms`}
              </p>
            </div>
          </li>
        ))}
      </ol>
    </section>
  )
}

function EventText({ deliveryId }: { deliveryId: string }) {
  const event = useQuery(deliveryEventQuery(deliveryId))
  return (
    <section className="flex flex-col gap-2">
      <div className="flex items-center justify-between">
        <h3 className="font-semibold">Event</h3>
        {event.data && <Copy text={event.data} />}
      </div>
      {event.isPending && <Spinner />}
      {event.isError && <FormFault error={event.error} />}
      {event.data && <CodeBox label="The event as JSON" text={pretty(event.data)} />}
    </section>
  )
}

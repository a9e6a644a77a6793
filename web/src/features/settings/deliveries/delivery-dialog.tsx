import { msg, plural, t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { CircleCheck, CircleX, OctagonX, RotateCw } from 'lucide-react'
import type { ReactNode } from 'react'
import {
  type Delivery,
  deliveryEventQuery,
  deliveryQuery,
  useBulkDeliveryAction,
} from '@/api/settings/deliveries'
import { Button } from '@/components/button'
import { CopyButton } from '@/components/copy-button'
import { Dialog } from '@/components/dialog'
import { FormError } from '@/components/form-error'
import { RelativeTime } from '@/components/relative-time'
import { Badge, ErrorState, Notice, Spinner } from '@/components/status'
import { formatNumber, i18n } from '@/lib/i18n'
import { formatDateTime } from '@/lib/time'
import { CodeBox, formatJson } from '../code-box'
import { formatMilliseconds } from '../duration'
import { getStatusLabel, isSettled, ORDERED, STATUSES, TARGETS } from './labels'

type Props = {
  deliveryId: string
  agentNames: ReadonlyMap<string, string>
  mayDeliver: boolean
  onClose: () => void
}

/** One delivery: its endpoint, its attempts, and the event exactly as sent. */
export function DeliveryDialog({ deliveryId, agentNames, mayDeliver, onClose }: Props) {
  const delivery = useQuery(deliveryQuery(deliveryId))
  const act = useBulkDeliveryAction()
  const refused = act.data?.find(outcome => !outcome.ok)?.error?.detail
  const run = (what: 'retry' | 'cancel') => act.mutate({ act: what, deliveryIds: [deliveryId] })
  const settled = delivery.data ? isSettled(delivery.data) : null
  return (
    <Dialog
      open
      onClose={onClose}
      width="medium"
      title={delivery.data?.event ?? t`Delivery`}
      actions={
        <>
          {mayDeliver && settled === false && (
            <Button icon={<OctagonX />} busy={act.isPending} onClick={() => run('cancel')}>
              {t`Cancel delivery`}
            </Button>
          )}
          {mayDeliver && settled && (
            <Button icon={<RotateCw />} busy={act.isPending} onClick={() => run('retry')}>
              {t`Retry`}
            </Button>
          )}
          <Button onClick={onClose}>{t`Close`}</Button>
        </>
      }
    >
      {delivery.isPending && <Spinner />}
      {delivery.isError && (
        <ErrorState
          title={t`Couldn't load the delivery`}
          error={delivery.error}
          onRetry={() => delivery.refetch()}
        />
      )}
      {delivery.data && (
        <div className="flex flex-col gap-5">
          <FormError error={act.error} />
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
      <Fact label={t`Status`}>
        <Badge tone={STATUSES[delivery.status].tone}>{getStatusLabel(delivery)}</Badge>
        {delivery.nextRetryAt && (
          <span className="ms-2 text-muted">
            <Trans>
              Next attempt <RelativeTime at={delivery.nextRetryAt} />
            </Trans>
          </span>
        )}
      </Fact>
      <Fact label={t`Endpoint`}>
        {i18n._(TARGETS[delivery.target])}{' '}
        <code className="font-mono text-sm [overflow-wrap:anywhere]">{delivery.webhook}</code>
        <span className="block text-muted text-sm">{i18n._(SOURCES[delivery.urlSource])}</span>
      </Fact>
      <Fact label={t`Agent`}>
        <bdi>{agentName ?? delivery.agentId}</bdi>
      </Fact>
      {delivery.formName && (
        <Fact label={t`Review type`}>
          <bdi>{delivery.formName}</bdi>
        </Fact>
      )}
      {delivery.reviewId && (
        <Fact label={t({ message: 'Review', context: 'noun' })}>
          <Link
            to="/reviews/$reviewId"
            params={{ reviewId: delivery.reviewId }}
            className="text-accent underline underline-offset-2"
          >
            {t`Open review`}
          </Link>
        </Fact>
      )}
      <Fact label={t`Event time`}>{formatDateTime(delivery.triggeredAt)}</Fact>
      <Fact label={t`ID`}>
        <code className="font-mono text-sm [overflow-wrap:anywhere]">{delivery.deliveryId}</code>
      </Fact>
    </dl>
  )
}

const SOURCES = {
  request: msg`URL from the request`,
  form: msg`URL from the review type`,
  agent: msg`URL from the agent`,
  account: msg`URL from the workspace`,
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
  const done = formatNumber(delivery.attemptCount)
  return (
    <section>
      <h3 className="mb-1 font-semibold">
        {t`Attempts`}{' '}
        <span className="font-normal text-muted text-sm">
          {plural(
            { max: delivery.maxAttempts },
            {
              one: `${done} of # automatic attempt`,
              other: `${done} of # automatic attempts`,
            },
          )}
        </span>
      </h3>
      {delivery.attempts.length === 0 && <p className="text-muted">{t`No attempts yet`}</p>}
      <ol>
        {delivery.attempts.map(attempt => (
          <li
            key={attempt.attemptId}
            className="flex items-start gap-3 border-line border-b py-1.5 last:border-b-0"
          >
            {attempt.ok ? (
              <CircleCheck aria-label={t`Succeeded`} className="mt-1 shrink-0 text-good" />
            ) : (
              <CircleX aria-label={t`Failed`} className="mt-1 shrink-0 text-bad" />
            )}
            <div className="min-w-0 flex-1 [overflow-wrap:anywhere]">
              {attempt.statusCode
                ? `${attempt.statusCode} ${attempt.statusText ?? ''}`
                : (attempt.statusText ?? t`No response`)}
              {attempt.note && <p className="text-muted text-sm">{attempt.note}</p>}
            </div>
            <div className="text-end text-muted text-sm">
              <p>{formatDateTime(attempt.at)}</p>
              <p>
                {[
                  i18n._(ORDERED[attempt.scheduledBy]),
                  typeof attempt.durationMs === 'number' && formatMilliseconds(attempt.durationMs),
                ]
                  .filter(Boolean)
                  .join(' · ')}
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
        <h3 className="font-semibold">{t`Event`}</h3>
        {event.data && <CopyButton text={event.data} />}
      </div>
      {event.isPending && <Spinner />}
      {event.isError && <FormError error={event.error} />}
      {event.data && <CodeBox label={t`Event (JSON)`} text={formatJson(event.data)} />}
    </section>
  )
}

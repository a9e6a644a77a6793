import { msg, plural, t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { CircleCheck, CircleX, OctagonX, RotateCw, TriangleAlert } from 'lucide-react'
import type { ReactNode } from 'react'
import {
  deliveryEventQuery,
  deliveryQuery,
  type MessageAction,
  messageQuery,
  type OutgoingMessage,
  useMessageAction,
} from '@/api/settings/outgoing-messages'
import { Button } from '@/components/button'
import { CopyButton } from '@/components/copy-button'
import { Dialog } from '@/components/dialog'
import { FormError } from '@/components/form-error'
import { RelativeTime } from '@/components/relative-time'
import { ErrorState, Notice, Spinner } from '@/components/status'
import { formatNumber, i18n } from '@/lib/i18n'
import { formatDateTime } from '@/lib/time'
import { CodeBox, formatJson } from '../code-box'
import { formatMilliseconds } from '../duration'
import { CHANNELS, getDestination, StateBadge, TARGETS } from './labels'

type Props = {
  messageId: string
  agentNames: ReadonlyMap<string, string>
  onClose: () => void
}

/** One message: its destination, its attempts, and, for a webhook, the event exactly as sent. */
export function MessageDialog({ messageId, agentNames, onClose }: Props) {
  const message = useQuery(messageQuery(messageId))
  const act = useMessageAction()
  const refused = act.data?.find(outcome => !outcome.ok)?.error?.detail
  const run = (action: MessageAction) => act.mutate({ action, messageIds: [messageId] })
  const actions = message.data?.actions ?? []
  return (
    <Dialog
      open
      onClose={onClose}
      width="medium"
      title={message.data?.subject.text ?? t({ message: 'Message', context: 'outgoing message' })}
      actions={
        <>
          {actions.includes('cancel') && (
            <Button icon={<OctagonX />} busy={act.isPending} onClick={() => run('cancel')}>
              {t`Cancel message`}
            </Button>
          )}
          {actions.includes('retry') && (
            <Button icon={<RotateCw />} busy={act.isPending} onClick={() => run('retry')}>
              {t`Retry`}
            </Button>
          )}
          <Button onClick={onClose}>{t`Close`}</Button>
        </>
      }
    >
      {message.isPending && <Spinner />}
      {message.isError && (
        <ErrorState
          title={t`Couldn't load the message`}
          error={message.error}
          onRetry={() => message.refetch()}
        />
      )}
      {message.data && (
        <div className="flex flex-col gap-5">
          <FormError error={act.error} />
          {refused && (
            <div role="alert">
              <Notice tone="bad">{refused}</Notice>
            </div>
          )}
          {message.data.state === 'unclear' && (
            <Notice tone="warn" icon={<TriangleAlert />}>
              {t`This email may have been delivered. If you retry, it could arrive twice.`}
            </Notice>
          )}
          <Facts message={message.data} agentNames={agentNames} />
          <Attempts message={message.data} />
          {message.data.channel === 'webhook' && <EventText deliveryId={messageId} />}
        </div>
      )}
    </Dialog>
  )
}

function Facts({
  message,
  agentNames,
}: {
  message: OutgoingMessage
  agentNames: ReadonlyMap<string, string>
}) {
  const { subject } = message
  return (
    <dl className="grid grid-cols-[auto_1fr] gap-x-5 gap-y-1.5">
      <Fact label={t`Status`}>
        <StateBadge message={message} />
        {message.nextAttemptAt && (
          <span className="ms-2 text-muted">
            <Trans>
              Next attempt <RelativeTime at={message.nextAttemptAt} />
            </Trans>
          </span>
        )}
        {message.error && (
          <span className="mt-1 block text-sm [overflow-wrap:anywhere]" dir="auto">
            {message.error}
          </span>
        )}
      </Fact>
      <Fact label={t`Channel`}>{i18n._(CHANNELS[message.channel].label)}</Fact>
      {message.channel === 'webhook' ? (
        <Fact label={t`Endpoint`}>
          <Endpoint message={message} />
        </Fact>
      ) : (
        <Fact label={t`Destination`}>
          <bdi className="[overflow-wrap:anywhere]">{getDestination(message)}</bdi>
        </Fact>
      )}
      {subject.url && (
        <Fact label={t`URL`}>
          <code className="font-mono text-sm [overflow-wrap:anywhere]">{subject.url}</code>
        </Fact>
      )}
      {subject.agentId && (
        <Fact label={t`Agent`}>
          <bdi>{agentNames.get(subject.agentId) ?? subject.agentId}</bdi>
        </Fact>
      )}
      {subject.formName && (
        <Fact label={t`Review type`}>
          <bdi>{subject.formName}</bdi>
        </Fact>
      )}
      {subject.reviewId && (
        <Fact label={t({ message: 'Review', context: 'noun' })}>
          <Link
            to="/reviews/$reviewId"
            params={{ reviewId: subject.reviewId }}
            className="text-accent underline underline-offset-2"
          >
            {t`Open review`}
          </Link>
        </Fact>
      )}
      <Fact label={t`Created`}>{formatDateTime(message.createdAt)}</Fact>
      <Fact label={t`ID`}>
        <code className="font-mono text-sm [overflow-wrap:anywhere]">{message.messageId}</code>
      </Fact>
    </dl>
  )
}

const SOURCES = {
  request: msg`URL from the request`,
  form: msg`URL from the review type`,
  agent: msg`URL from the agent's settings`,
  account: msg`URL from the workspace settings`,
} as const

function Endpoint({ message }: { message: OutgoingMessage }) {
  const delivery = useQuery(deliveryQuery(message.messageId)).data
  return (
    <>
      {message.subject.target && i18n._(TARGETS[message.subject.target])}{' '}
      <code className="font-mono text-sm [overflow-wrap:anywhere]">
        {delivery?.webhook ?? message.destination}
      </code>
      {delivery && <span className="block text-muted text-sm">{i18n._(SOURCES[delivery.urlSource])}</span>}
    </>
  )
}

function Fact({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div className="contents">
      <dt className="text-muted">{label}</dt>
      <dd className="min-w-0">{children}</dd>
    </div>
  )
}

function Attempts({ message }: { message: OutgoingMessage }) {
  const done = formatNumber(message.attemptCount)
  return (
    <section>
      <h3 className="mb-1 font-semibold">
        {t`Attempts`}{' '}
        {message.maxAttempts && (
          <span className="font-normal text-muted text-sm">
            {plural(
              { max: message.maxAttempts },
              {
                one: `${done} of # automatic attempt`,
                other: `${done} of # automatic attempts`,
              },
            )}
          </span>
        )}
      </h3>
      {message.attempts.length === 0 && <p className="text-muted">{t`No attempts yet`}</p>}
      <ol>
        {message.attempts.map((attempt, index) => (
          <li key={attempt.at} className="flex items-start gap-3 border-line border-b py-1.5 last:border-b-0">
            {attempt.ok ? (
              <CircleCheck aria-label={t`Succeeded`} className="mt-1 shrink-0 text-good" />
            ) : (
              <CircleX aria-label={t`Failed`} className="mt-1 shrink-0 text-bad" />
            )}
            <div className="min-w-0 flex-1 [overflow-wrap:anywhere]">
              <bdi>{getResult(attempt)}</bdi>
              {attempt.note && <p className="text-muted text-sm">{attempt.note}</p>}
            </div>
            <div className="text-end text-muted text-sm">
              <p>{formatDateTime(attempt.at)}</p>
              <p>
                {[
                  getTrigger(attempt, index),
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

type Attempt = OutgoingMessage['attempts'][number]

function getResult({ ok, statusCode, statusText, error }: Attempt): string {
  if (statusCode) return `${statusCode} ${statusText ?? ''}`
  if (error) return error
  return ok ? t({ message: 'Sent', context: 'outgoing message' }) : t`No response`
}

function getTrigger({ isManual }: Attempt, index: number): string {
  if (isManual) return t`Manual retry`
  return index === 0 ? t`First attempt` : t`Automatic retry`
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

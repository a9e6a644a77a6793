import { t } from '@lingui/core/macro'
import { CircleCheck, CircleX } from 'lucide-react'
import type { ReactNode } from 'react'
import { type Agent, type TestOutcome, useSendTestEvent } from '@/api/settings/agents'
import { Button } from '@/components/button'
import { Dialog } from '@/components/dialog'
import { FormError } from '@/components/form-error'
import { Notice, Spinner } from '@/components/status'
import { CodeBox, formatJson } from '../code-box'
import { formatMilliseconds } from '../duration'

/** Sends a test event on request, and shows both sides of the call. */
export function TestDialog({ agent, onClose }: { agent: Agent; onClose: () => void }) {
  const test = useSendTestEvent(agent.agentId)
  return (
    <Dialog
      open
      onClose={onClose}
      width="medium"
      title={t`Test event for ${{ name: agent.name }}`}
      description={t`The test event is signed like a real event, but isn't retried or recorded as a delivery.`}
      actions={
        <>
          <Button onClick={onClose}>{t`Close`}</Button>
          <Button kind="primary" busy={test.isPending} onClick={() => test.mutate()} data-first-focus>
            {test.isIdle ? t`Send` : t`Send again`}
          </Button>
        </>
      }
    >
      <div aria-live="polite" className="flex flex-col gap-4">
        {test.isIdle && <p className="font-mono text-sm [overflow-wrap:anywhere]">POST {agent.webhookUrl}</p>}
        <FormError error={test.error} />
        {test.isPending && (
          <p className="flex items-center gap-2 text-muted">
            <Spinner label={t`Sending…`} /> {t`Waiting for a response…`}
          </p>
        )}
        {test.data && !test.isPending && <Outcome outcome={test.data} />}
      </div>
    </Dialog>
  )
}

function Outcome({ outcome }: { outcome: TestOutcome }) {
  const { response, request } = outcome
  return (
    <>
      <Notice tone={outcome.ok ? 'good' : 'bad'} icon={outcome.ok ? <CircleCheck /> : <CircleX />}>
        {getResultText(outcome)}{' '}
        <span className="text-muted">· {formatMilliseconds(outcome.durationMs)}</span>
      </Notice>
      <TestDetails title={t`Request`} line={`POST ${outcome.deliveryUrl}`} headers={request.headers}>
        <CodeBox label={t`Request body`} text={formatJson(request.body)} />
      </TestDetails>
      {response && (
        <TestDetails
          title={t`Response`}
          line={`${response.statusCode} ${response.statusText}`}
          headers={response.headers}
        >
          {response.body ? (
            <CodeBox label={t`Response body`} text={formatJson(response.body)} />
          ) : (
            <p className="text-muted text-sm">{t`Empty body`}</p>
          )}
          {response.bodyCut && <p className="text-muted text-sm">{t`The response body was truncated.`}</p>}
        </TestDetails>
      )}
    </>
  )
}

function getResultText({ ok, error, response }: TestOutcome): string {
  const status = `${response?.statusCode} ${response?.statusText ?? ''}`.trim()
  if (ok) return t`Delivered. The endpoint returned ${status}.`
  if (error) return t`No response: ${error}`
  return t`Failed. The endpoint returned ${status}. Only 2xx responses count as delivered.`
}

function TestDetails({
  title,
  line,
  headers,
  children,
}: {
  title: string
  line: string
  headers: Readonly<Record<string, string>>
  children: ReactNode
}) {
  return (
    <section className="flex flex-col gap-2">
      <h3 className="font-semibold">{title}</h3>
      <p className="font-mono text-sm [overflow-wrap:anywhere]">{line}</p>
      <dl className="grid grid-cols-[auto_1fr] gap-x-4 gap-y-0.5 font-mono text-xs max-sm:grid-cols-1">
        {Object.entries(headers).map(([name, value]) => (
          <div key={name} className="contents">
            <dt className="text-muted">{name}</dt>
            <dd className="[overflow-wrap:anywhere]">{value}</dd>
          </div>
        ))}
      </dl>
      {children}
    </section>
  )
}

import { CircleCheck, CircleX } from 'lucide-react'
import { type ReactNode, useEffect, useRef } from 'react'
import { type Agent, type TestOutcome, useSendTestEvent } from '@/api/settings/agents'
import { Button } from '@/components/button'
import { Dialog } from '@/components/dialog'
import { FormFault } from '@/components/form-fault'
import { Notice, Spinner } from '@/components/status'
import { CodeBox, pretty } from '../json-text'

/** Sends a test event at once, and shows both sides of the call. */
export function TestDialog({ agent, onClose }: { agent: Agent; onClose: () => void }) {
  const test = useSendTestEvent(agent.agentId)
  const send = test.mutate
  const sent = useRef(false)
  useEffect(() => {
    if (sent.current) return
    sent.current = true
    send()
  }, [send])
  return (
    <Dialog
      open
      onClose={onClose}
      width="medium"
      title={`Test event to ${agent.name}`}
      description="Signed like a real one. It is not recorded as a delivery, and not tried again."
      actions={
        <>
          <Button onClick={onClose}>Close</Button>
          <Button kind="primary" busy={test.isPending} onClick={() => test.mutate()}>
            Send another
          </Button>
        </>
      }
    >
      <div aria-live="polite" className="flex flex-col gap-4">
        <FormFault error={test.error} />
        {test.isPending && (
          <p className="flex items-center gap-2 text-muted">
            <Spinner label="Sending" /> Waiting for the answer …
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
      <Notice
        tone={outcome.ok ? 'good' : 'bad'}
        icon={outcome.ok ? <CircleCheck size={16} /> : <CircleX size={16} />}
      >
        {verdict(outcome)} <span className="text-muted">· {outcome.durationMs.toLocaleString('en')} ms</span>
      </Notice>
      <Side title="Request" line={`POST ${outcome.deliveryUrl}`} headers={request.headers}>
        <CodeBox label="Body of the request" text={pretty(request.body)} />
      </Side>
      {response && (
        <Side
          title="Answer"
          line={`${response.statusCode} ${response.statusText}`}
          headers={response.headers}
        >
          {response.body ? (
            <CodeBox label="Body of the answer" text={pretty(response.body)} />
          ) : (
            <p className="text-muted text-sm">Without a body.</p>
          )}
          {response.bodyCut && <p className="text-muted text-sm">There was more, or it broke off here.</p>}
        </Side>
      )}
    </>
  )
}

function verdict({ ok, error, response }: TestOutcome): string {
  if (ok) return `It arrived: ${response?.statusCode} ${response?.statusText ?? ''}`.trim()
  if (error) return `No answer came: ${error}`
  return `Not accepted: the answer was ${response?.statusCode} ${response?.statusText ?? ''}, and only a 2xx counts`
}

function Side({
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

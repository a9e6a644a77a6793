import { useQuery } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import { Workflow } from 'lucide-react'
import { type Run, runQuery, useNameRun } from '@/api/runs'
import { useMay } from '@/api/session'
import { InlineName } from '@/components/inline-name'
import { Empty, Failure, Spinner } from '@/components/status'
import { Time } from '@/components/time'
import { RunGraph } from './run-graph'
import { titleOf } from './step-card'

const LINK = 'rounded underline-offset-2 hover:text-ink hover:underline'

/** A run of a workflow, drawn: what came before what, who decided what, and how long it took. */
export function RunPage() {
  const { runId } = useParams({ from: '/app/runs/$runId' })
  const run = useQuery(runQuery(runId))
  if (run.data === undefined)
    return (
      <main className="grid h-full place-items-center">
        {run.error ? <Failure error={run.error} onRetry={() => void run.refetch()} /> : <Spinner />}
      </main>
    )
  return (
    <main className="flex min-h-full flex-col">
      <Header key={runId} run={run.data} />
      {run.data.steps.length === 0 ? (
        <Empty icon={<Workflow size={28} />} title="Nothing is left of this run">
          Its reviews were deleted.
        </Empty>
      ) : (
        <RunGraph steps={run.data.steps} />
      )}
      {run.data.more && (
        <p className="px-6 pb-6 text-center text-muted text-sm">
          These are the first {run.data.steps.length} steps.{' '}
          <Link to="/" search={{ view: 'all', run: run.data.runId }} className="text-accent underline">
            The inbox has them all
          </Link>
        </p>
      )}
    </main>
  )
}

function Header({ run }: { run: Run }) {
  const mayName = useMay('decide')
  const naming = useNameRun(run.runId)
  const [first] = run.steps
  const open = run.steps.filter(step => step.state === 'pending').length
  return (
    <header className="border-line border-b px-4 py-4 md:px-6">
      <InlineName
        title={run.name || (first && titleOf(first)) || 'Run'}
        name={run.name}
        label="Name the run"
        fieldLabel="Name of the run"
        mayName={mayName}
        naming={naming}
        className="break-words text-xl"
      />
      <p className="mt-0.5 flex flex-wrap items-center gap-x-2 text-muted text-sm">
        <span>
          Run, began <Time at={run.createdAt} />
        </span>
        <span aria-hidden="true">·</span>
        <span>
          {run.steps.length === 1 ? '1 step' : `${run.steps.length} steps`}
          {open > 0 && `, ${open} open`}
        </span>
        <span aria-hidden="true">·</span>
        <Link to="/" search={{ view: 'all', run: run.runId }} className={LINK}>
          In the inbox
        </Link>
        {run.sessions.length === 1 && run.sessions[0] !== undefined && (
          <>
            <span aria-hidden="true">·</span>
            <Link
              to="/sessions/$sessionId"
              params={{ sessionId: run.sessions[0] }}
              search={{}}
              className={LINK}
            >
              Its session
            </Link>
          </>
        )}
      </p>
    </header>
  )
}

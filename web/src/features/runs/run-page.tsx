import { plural, t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import { Workflow } from 'lucide-react'
import { type Run, runQuery, useRenameRun } from '@/api/runs'
import { useMay } from '@/api/session'
import { InlineName } from '@/components/inline-name'
import { RelativeTime } from '@/components/relative-time'
import { EmptyState, ErrorState, Spinner } from '@/components/status'
import { formatNumber } from '@/lib/i18n'
import { RunGraph } from './run-graph'
import { useStepTitle } from './step-card'

const LINK = 'rounded underline-offset-2 hover:text-ink hover:underline'

/** A workflow run as a graph: the order of its steps, who decided them, and how long each took. */
export function RunPage() {
  const { runId } = useParams({ from: '/app/runs/$runId' })
  const run = useQuery(runQuery(runId))
  if (run.data === undefined)
    return (
      <main className="grid h-full place-items-center">
        {run.error ? (
          <ErrorState title={t`Couldn't load the run`} error={run.error} onRetry={() => void run.refetch()} />
        ) : (
          <Spinner />
        )}
      </main>
    )
  return (
    <main className="flex min-h-full flex-col">
      <Header key={runId} run={run.data} />
      {run.data.steps.length === 0 ? (
        <EmptyState icon={<Workflow />} title={t`This run has no steps left`}>
          {t`All reviews in this run were deleted.`}
        </EmptyState>
      ) : (
        <RunGraph steps={run.data.steps} />
      )}
      {run.data.more && (
        <p className="px-6 pb-6 text-center text-muted text-sm">
          <Trans>
            Showing the first {{ count: formatNumber(run.data.steps.length) }} steps.{' '}
            <Link to="/" search={{ view: 'any', run: run.data.runId }} className="text-accent underline">
              View all in inbox
            </Link>
          </Trans>
        </p>
      )}
    </main>
  )
}

function Header({ run }: { run: Run }) {
  const mayName = useMay('decide')
  const naming = useRenameRun(run.runId)
  const titleOf = useStepTitle()
  const [first] = run.steps
  const steps = run.steps.length
  const pending = run.steps.filter(step => step.state === 'pending').length
  return (
    <header className="border-line border-b px-4 py-4 md:px-6">
      <InlineName
        title={run.name || (first && titleOf(first)) || t({ message: 'Run', context: 'noun' })}
        name={run.name}
        label={t`Rename run`}
        fieldLabel={t`Run name`}
        mayName={mayName}
        naming={naming}
        className="break-words text-xl"
      />
      <p className="mt-0.5 flex flex-wrap items-center gap-x-2 text-muted text-sm">
        <span>
          <Trans>
            Run started <RelativeTime at={run.createdAt} />
          </Trans>
        </span>
        <span aria-hidden="true">·</span>
        <span>
          {pending > 0
            ? t`${plural(steps, { one: '# step', other: '# steps' })}, ${{ pending: formatNumber(pending) }} pending`
            : plural(steps, { one: '# step', other: '# steps' })}
        </span>
        <span aria-hidden="true">·</span>
        <Link to="/" search={{ view: 'any', run: run.runId }} className={LINK}>
          {t`View in inbox`}
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
              {t`View chat`}
            </Link>
          </>
        )}
      </p>
    </header>
  )
}

import { t } from '@lingui/core/macro'
import { Link } from '@tanstack/react-router'
import { CircleCheck } from 'lucide-react'
import { useEffect, useRef } from 'react'
import type { StartedWorkflow } from '@/api/triggers'
import { Button } from '@/components/button'

const LINK = 'rounded font-medium text-accent underline-offset-2 hover:underline pointer-coarse:py-2.5'

/** The started run, and links to what comes next. */
export function WorkflowStarted({
  started,
  agentName,
  onAgain,
}: {
  started: StartedWorkflow
  agentName: string
  onAgain: () => void
}) {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => heading.current?.focus(), [])
  return (
    <div role="status" className="flex flex-col items-center gap-2 px-6 py-16 text-center">
      <CircleCheck className="icon-large text-good" />
      <h2 ref={heading} tabIndex={-1} className="font-medium text-lg outline-none">
        {t`Workflow started`}
      </h2>
      <p className="max-w-sm text-muted">
        {t`${agentName} was notified. Its review requests will show up in the inbox.`}
      </p>
      <ul className="mt-3 flex flex-wrap items-center justify-center gap-x-5 gap-y-1">
        <li>
          <Link to="/reviews/$reviewId" params={{ reviewId: started.reviewId }} search={{}} className={LINK}>
            {t`View submission`}
          </Link>
        </li>
        <li>
          <Link to="/runs/$runId" params={{ runId: started.workflowRunId }} className={LINK}>
            {t`View run`}
          </Link>
        </li>
        <li>
          <Link
            to="/sessions/$sessionId"
            params={{ sessionId: started.sessionId }}
            search={{}}
            className={LINK}
          >
            {t`View chat`}
          </Link>
        </li>
      </ul>
      <Button className="mt-4" onClick={onAgain}>
        {t`Start another workflow`}
      </Button>
    </div>
  )
}

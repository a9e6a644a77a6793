import { t } from '@lingui/core/macro'
import { Select, Trans } from '@lingui/react/macro'
import { useRef } from 'react'
import type { PendingDecision } from '@/api/decisions'
import { Button } from '@/components/button'
import { useDecisionLock } from '@/lib/decision-lock'
import { DecisionBar } from './decision-bar'
import { SecondsLeft } from './seconds-left'

/** Replaces the decision bar while a decision can be undone or is being sent. */
export function UndoBar({ decision, onUndo }: { decision: PendingDecision; onUndo: () => void }) {
  const content = useRef<HTMLDivElement>(null)
  // Undo is where Approve was: a double click must not undo its own decision.
  const lock = useDecisionLock(decision.reviewId, { content })
  return (
    <DecisionBar>
      <div ref={content} className="flex min-h-8 items-center gap-3">
        <span className="flex-1">
          <Progress decision={decision} />
        </span>
        {decision.state === 'held' && (
          <Button keys="z" locked={lock.isLocked} onClick={onUndo}>
            {t`Undo`}
          </Button>
        )}
      </div>
    </DecisionBar>
  )
}

function Progress({ decision }: { decision: PendingDecision }) {
  const response = decision.response ?? 'submitted'
  if (decision.state === 'held')
    return (
      <Trans>
        <strong className="font-semibold">
          <Select value={response} _approved="Approved" _rejected="Rejected" other="Submitted" />
        </strong>{' '}
        <span className="text-muted">
          · sending in <SecondsLeft until={decision.until} />
        </span>
      </Trans>
    )
  if (decision.state === 'sending')
    return (
      <Trans>
        <strong className="font-semibold">
          <Select value={response} _approved="Approved" _rejected="Rejected" other="Submitted" />
        </strong>{' '}
        <span className="text-muted">· sending…</span>
      </Trans>
    )
  return (
    <Trans>
      <strong className="font-semibold">
        <Select value={response} _approved="Approved" _rejected="Rejected" other="Submitted" />
      </strong>{' '}
      <span className="text-muted">· can't reach the server. We'll keep trying.</span>
    </Trans>
  )
}

import { useRef } from 'react'
import type { PendingDecision } from '@/api/decisions'
import { Button } from '@/components/button'
import { useDecisionLock } from '@/lib/decision-lock'
import { DecisionBar } from './decision-bar'
import { SecondsLeft } from './seconds-left'

export const DECIDED = { approved: 'Approved', rejected: 'Rejected' } as const
export const decidedWord = (response: PendingDecision['response']): string =>
  response === null ? 'Submitted' : DECIDED[response]

/** In place of the bar while a decision can still be taken back. */
export function HeldBar({ decision, onUndo }: { decision: PendingDecision; onUndo: () => void }) {
  const content = useRef<HTMLDivElement>(null)
  // Undo stands where Approve was: a double click must not take back what it decided.
  const lock = useDecisionLock(decision.reviewId, { content })
  return (
    <DecisionBar>
      <div ref={content} className="flex min-h-8 items-center gap-3">
        <span className="flex-1">
          <strong className="font-semibold">{decidedWord(decision.response)}</strong>{' '}
          <span className="text-muted">
            {decision.state === 'held' && (
              <>
                · sent in <SecondsLeft until={decision.until} />
              </>
            )}
            {decision.state === 'sending' && '· sending…'}
            {decision.state === 'waiting' &&
              '· the service cannot be reached; it is sent as soon as it can be'}
          </span>
        </span>
        {decision.state === 'held' && (
          <Button keys="z" locked={lock.isLocked} onClick={onUndo} className="max-md:h-11">
            Undo
          </Button>
        )}
      </div>
    </DecisionBar>
  )
}

import { Check, CircleAlert, Clock, LoaderCircle } from 'lucide-react'
import { Time } from '@/components/time'
import type { Outcome } from './outcomes'

/** What became of one review, in words. */
export function OutcomeText({ outcome, response }: { outcome: Outcome; response: 'approved' | 'rejected' }) {
  switch (outcome.kind) {
    case 'waiting':
      return (
        <span className="flex items-center gap-1 text-muted">
          <Clock size={14} aria-hidden="true" /> Not decided
        </span>
      )
    case 'sending':
      return (
        <span className="flex items-center gap-1 text-muted">
          <LoaderCircle size={14} className="animate-spin" aria-hidden="true" /> Deciding…
        </span>
      )
    case 'done':
      return (
        <span className="flex items-center gap-1 text-good">
          <Check size={14} aria-hidden="true" /> {response === 'approved' ? 'Approved' : 'Rejected'}
        </span>
      )
    case 'decided':
      return (
        <Failed>
          {outcome.response === 'approved'
            ? 'Approved'
            : outcome.response === 'rejected'
              ? 'Rejected'
              : 'Decided'}{' '}
          already by {outcome.by}
          {outcome.at && (
            <>
              , <Time at={outcome.at} />
            </>
          )}
        </Failed>
      )
    case 'replaced':
      return <Failed>The agent replaced its content meanwhile. Open it to see what changed.</Failed>
    case 'outdatedEdits':
      return <Failed>Your edits are to an older revision. Open it to check them.</Failed>
    case 'invalid':
      return (
        <Failed>
          Cannot be {response} as it is:{' '}
          {outcome.faults.length > 0
            ? outcome.faults.map(fault => `${fault.path.replace(/^data\./, '')} ${fault.message}`).join('; ')
            : outcome.message}
        </Failed>
      )
    case 'failed':
      return <Failed>{outcome.message}</Failed>
  }
}

function Failed({ children }: { children: React.ReactNode }) {
  return (
    <span className="flex items-start gap-1 text-bad">
      <CircleAlert size={14} className="mt-0.5 shrink-0" aria-hidden="true" />
      <span className="min-w-0 [overflow-wrap:anywhere]">{children}</span>
    </span>
  )
}

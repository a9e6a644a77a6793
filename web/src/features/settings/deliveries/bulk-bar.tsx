import { CircleCheck, CircleX, OctagonX, RotateCw } from 'lucide-react'
import { useState } from 'react'
import { type DeliveryOutcome, type DeliveryRow, useActOnDeliveries } from '@/api/settings/deliveries'
import { Button } from '@/components/button'
import { Confirm, Dialog } from '@/components/dialog'
import { FormFault } from '@/components/form-fault'
import { hostOf } from './words'

type Act = 'retry' | 'cancel'
type Props = {
  deliveryIds: readonly string[]
  /** How many more are chosen than can be done at once. */
  left: number
  rows: readonly DeliveryRow[]
  onDone: () => void
}

/** What can be done with the chosen ones; then what became of each. */
export function BulkBar({ deliveryIds, left, rows, onDone }: Props) {
  const [asking, setAsking] = useState<Act | null>(null)
  const [outcomes, setOutcomes] = useState<readonly DeliveryOutcome[] | null>(null)
  const act = useActOnDeliveries()
  const many = deliveryIds.length === 1 ? 'one delivery' : `${deliveryIds.length} deliveries`
  const run = () => {
    if (asking)
      act.mutate(
        { act: asking, deliveryIds: [...deliveryIds] },
        {
          onSuccess: items => {
            setOutcomes(items)
            setAsking(null)
            onDone()
          },
        },
      )
  }
  return (
    <>
      {deliveryIds.length > 0 && (
        <section
          aria-label="Selected deliveries"
          className="sticky bottom-4 flex flex-wrap items-center gap-2 self-start rounded-lg bg-raised p-2 pl-4 shadow-float max-md:self-stretch"
        >
          <span role="status" className="mr-2">
            {many} selected{left > 0 && ` (the first ${deliveryIds.length} of ${deliveryIds.length + left})`}
          </span>
          <Button icon={<RotateCw size={14} />} onClick={() => setAsking('retry')} className="max-md:h-11">
            Retry
          </Button>
          <Button icon={<OctagonX size={14} />} onClick={() => setAsking('cancel')} className="max-md:h-11">
            Stop
          </Button>
          <Button kind="quiet" onClick={onDone} className="max-md:h-11">
            Clear
          </Button>
        </section>
      )}
      <Confirm
        open={asking !== null}
        onClose={() => setAsking(null)}
        title={asking === 'retry' ? `Retry ${many}?` : `Stop ${many}?`}
        kind={asking === 'retry' ? 'primary' : 'bad'}
        confirm={asking === 'retry' ? 'Retry' : 'Stop'}
        busy={act.isPending}
        onConfirm={run}
      >
        <FormFault error={act.error} />
        <p className="mt-2 first:mt-0">
          {asking === 'retry'
            ? 'Each that is settled gets one more attempt. Receivers that had the event before get it again, under the same ID.'
            : 'No further automatic attempts are made of those that are not settled. Each can still be retried by hand.'}
        </p>
      </Confirm>
      <Dialog
        open={outcomes !== null}
        onClose={() => setOutcomes(null)}
        width="medium"
        title={outcomeTitle(outcomes ?? [])}
        actions={<Button onClick={() => setOutcomes(null)}>Close</Button>}
      >
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a long list scrolls, and must be reachable by keyboard */}
        <ul aria-label="What became of each" tabIndex={0}>
          {outcomes?.map(outcome => (
            <Outcome
              key={outcome.deliveryId}
              outcome={outcome}
              row={rows.find(row => row.deliveryId === outcome.deliveryId)}
            />
          ))}
        </ul>
      </Dialog>
    </>
  )
}

function outcomeTitle(outcomes: readonly DeliveryOutcome[]): string {
  const done = outcomes.filter(outcome => outcome.ok).length
  return done === outcomes.length ? `Done: ${done}` : `Done: ${done}. Not done: ${outcomes.length - done}`
}

function Outcome({ outcome, row }: { outcome: DeliveryOutcome; row?: DeliveryRow }) {
  return (
    <li className="flex items-start gap-3 border-line border-b py-2 last:border-b-0">
      {outcome.ok ? (
        <CircleCheck size={16} aria-label="Done" className="mt-0.5 shrink-0 text-good" />
      ) : (
        <CircleX size={16} aria-label="Not done" className="mt-0.5 shrink-0 text-bad" />
      )}
      <div className="min-w-0">
        <p>{row ? `${row.event} to ${hostOf(row.webhook)}` : outcome.deliveryId}</p>
        {outcome.error && <p className="text-muted text-sm">{outcome.error.detail}</p>}
      </div>
    </li>
  )
}

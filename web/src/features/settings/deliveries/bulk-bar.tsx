import { plural, t } from '@lingui/core/macro'
import { CircleCheck, CircleX, OctagonX, RotateCw } from 'lucide-react'
import { useState } from 'react'
import { type DeliveryOutcome, type DeliveryRow, useBulkDeliveryAction } from '@/api/settings/deliveries'
import { Button } from '@/components/button'
import { Dialog } from '@/components/dialog'
import { FormError } from '@/components/form-error'
import { formatNumber } from '@/lib/i18n'
import { getHost } from './labels'

type Act = 'retry' | 'cancel'
type Props = {
  deliveryIds: readonly string[]
  /** How many selected deliveries exceed the limit of one request. */
  left: number
  rows: readonly DeliveryRow[]
  onDone: () => void
}

/** Actions for the selected deliveries, then the result for each. */
export function BulkBar({ deliveryIds, left, rows, onDone }: Props) {
  const [asking, setAsking] = useState<Act | null>(null)
  const [outcomes, setOutcomes] = useState<readonly DeliveryOutcome[] | null>(null)
  const act = useBulkDeliveryAction()
  const count = deliveryIds.length
  const cancel = plural(count, { one: 'Cancel delivery', other: 'Cancel deliveries' })
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
      {count > 0 && (
        <section
          aria-label={t`Selected deliveries`}
          className="sticky bottom-4 flex flex-wrap items-center gap-2 self-start rounded-lg bg-raised p-2 ps-4 shadow-float max-md:self-stretch"
        >
          <span role="status" className="me-2">
            {formatSelectedCount(count, left)}
          </span>
          <Button icon={<RotateCw />} onClick={() => setAsking('retry')}>
            {t`Retry`}
          </Button>
          <Button icon={<OctagonX />} onClick={() => setAsking('cancel')}>
            {cancel}
          </Button>
          <Button kind="quiet" onClick={onDone}>
            {t`Clear selection`}
          </Button>
        </section>
      )}
      <Dialog
        open={asking !== null}
        onClose={() => setAsking(null)}
        title={
          asking === 'retry'
            ? plural(count, { one: 'Retry # delivery?', other: 'Retry # deliveries?' })
            : plural(count, { one: 'Cancel # delivery?', other: 'Cancel # deliveries?' })
        }
        actions={
          <>
            <Button onClick={() => setAsking(null)} data-first-focus={asking === 'cancel' || undefined}>
              {/* Next to “Cancel delivery”, “Cancel” could mean either. */}
              {asking === 'retry' ? t`Cancel` : t`Go back`}
            </Button>
            <Button
              kind={asking === 'retry' ? 'primary' : 'bad'}
              busy={act.isPending}
              onClick={run}
              data-first-focus={asking === 'retry' || undefined}
            >
              {asking === 'retry' ? t`Retry` : cancel}
            </Button>
          </>
        }
      >
        <FormError error={act.error} />
        <p className="mt-2 first:mt-0">
          {asking === 'retry'
            ? t`Each finished delivery gets one more attempt. Endpoints that already received the event get it again with the same ID.`
            : t`Unfinished deliveries get no more automatic attempts. You can still retry them manually.`}
        </p>
      </Dialog>
      <Dialog
        open={outcomes !== null}
        onClose={() => setOutcomes(null)}
        width="medium"
        title={formatOutcome(outcomes ?? [])}
        actions={<Button onClick={() => setOutcomes(null)}>{t`Close`}</Button>}
      >
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable areas must be focusable */}
        <ul aria-label={t`Results`} tabIndex={0}>
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

function formatSelectedCount(count: number, left: number): string {
  if (left === 0) return plural(count, { one: '# delivery selected', other: '# deliveries selected' })
  const first = formatNumber(count)
  return plural(
    { total: count + left },
    {
      one: `First ${first} of # delivery selected`,
      other: `First ${first} of # deliveries selected`,
    },
  )
}

function formatOutcome(outcomes: readonly DeliveryOutcome[]): string {
  const done = outcomes.filter(outcome => outcome.ok).length
  const failed = outcomes.length - done
  if (failed === 0) return plural(done, { one: '# delivery updated', other: '# deliveries updated' })
  return t`${{ done: formatNumber(done) }} updated, ${{ failed: formatNumber(failed) }} failed`
}

function Outcome({ outcome, row }: { outcome: DeliveryOutcome; row?: DeliveryRow }) {
  return (
    <li className="flex items-start gap-3 border-line border-b py-2 last:border-b-0">
      {outcome.ok ? (
        <CircleCheck aria-label={t`Succeeded`} className="mt-0.5 shrink-0 text-good" />
      ) : (
        <CircleX aria-label={t`Failed`} className="mt-0.5 shrink-0 text-bad" />
      )}
      <div className="min-w-0">
        <p>{row ? t`${{ event: row.event }} to ${{ host: getHost(row.webhook) }}` : outcome.deliveryId}</p>
        {outcome.error && <p className="text-muted text-sm">{outcome.error.detail}</p>}
      </div>
    </li>
  )
}

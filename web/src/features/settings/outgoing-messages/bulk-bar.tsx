import { plural, t } from '@lingui/core/macro'
import { CircleCheck, CircleX, OctagonX, RotateCw } from 'lucide-react'
import { useState } from 'react'
import {
  type MessageAction,
  type MessageOutcome,
  type OutgoingMessageRow,
  useMessageAction,
} from '@/api/settings/outgoing-messages'
import { Button } from '@/components/button'
import { Dialog } from '@/components/dialog'
import { FormError } from '@/components/form-error'
import { formatNumber } from '@/lib/i18n'
import { getDestination } from './labels'

/** The most that one request can have. */
const MAX_BULK = 200

/** Actions for the selected messages, then the result for each. */
export function BulkBar({ rows, onDone }: { rows: readonly OutgoingMessageRow[]; onDone: () => void }) {
  const [asking, setAsking] = useState<MessageAction | null>(null)
  const [results, setResults] = useState<{
    outcomes: readonly MessageOutcome[]
    rows: readonly OutgoingMessageRow[]
  } | null>(null)
  const act = useMessageAction()
  const pick = (action: MessageAction) => rows.filter(row => row.actions.includes(action)).slice(0, MAX_BULK)
  const picked = asking ? pick(asking) : []
  const cancelCount = pick('cancel').length
  const cancel = plural({ cancelCount }, { one: 'Cancel message', other: 'Cancel messages' })
  const run = () => {
    if (asking)
      act.mutate(
        { action: asking, messageIds: picked.map(row => row.messageId) },
        {
          onSuccess: outcomes => {
            setResults({ outcomes, rows: picked })
            setAsking(null)
            onDone()
          },
        },
      )
  }
  return (
    <>
      {rows.length > 0 && (
        <section
          aria-label={t`Selected messages`}
          className="sticky bottom-4 flex flex-wrap items-center gap-2 self-start rounded-lg bg-raised p-2 ps-4 shadow-float max-md:self-stretch"
        >
          <span role="status" className="me-2">
            {plural({ count: rows.length }, { one: '# message selected', other: '# messages selected' })}
          </span>
          {pick('retry').length > 0 && (
            <Button icon={<RotateCw />} onClick={() => setAsking('retry')}>
              {t`Retry`}
            </Button>
          )}
          {cancelCount > 0 && (
            <Button icon={<OctagonX />} onClick={() => setAsking('cancel')}>
              {cancel}
            </Button>
          )}
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
            ? plural({ count: picked.length }, { one: 'Retry # message?', other: 'Retry # messages?' })
            : plural({ count: picked.length }, { one: 'Cancel # message?', other: 'Cancel # messages?' })
        }
        actions={
          <>
            <Button onClick={() => setAsking(null)} data-first-focus={asking === 'cancel' || undefined}>
              {/* Next to “Cancel message”, “Cancel” could mean either. */}
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
            ? t`Each message will be sent again right away. Endpoints that already received an event will get it again with the same ID.`
            : t`Canceled messages aren't sent automatically anymore. You can still retry them manually.`}
        </p>
        {picked.some(row => row.state === 'unclear') && asking === 'retry' && (
          <p className="mt-2">{t`Emails with an unknown status may have been delivered. They could arrive twice.`}</p>
        )}
      </Dialog>
      <Dialog
        open={results !== null}
        onClose={() => setResults(null)}
        width="medium"
        title={formatOutcome(results?.outcomes ?? [])}
        actions={<Button onClick={() => setResults(null)}>{t`Close`}</Button>}
      >
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable areas must be focusable */}
        <ul aria-label={t`Results`} tabIndex={0}>
          {results?.outcomes.map(outcome => (
            <Outcome
              key={outcome.messageId}
              outcome={outcome}
              row={results.rows.find(row => row.messageId === outcome.messageId)}
            />
          ))}
        </ul>
      </Dialog>
    </>
  )
}

function formatOutcome(outcomes: readonly MessageOutcome[]): string {
  const done = outcomes.filter(outcome => outcome.ok).length
  const failed = outcomes.length - done
  if (failed === 0) return plural(done, { one: '# message updated', other: '# messages updated' })
  return t`${{ done: formatNumber(done) }} updated, ${{ failed: formatNumber(failed) }} failed`
}

function Outcome({ outcome, row }: { outcome: MessageOutcome; row?: OutgoingMessageRow }) {
  return (
    <li className="flex items-start gap-3 border-line border-b py-2 last:border-b-0">
      {outcome.ok ? (
        <CircleCheck aria-label={t`Succeeded`} className="mt-0.5 shrink-0 text-good" />
      ) : (
        <CircleX aria-label={t`Failed`} className="mt-0.5 shrink-0 text-bad" />
      )}
      <div className="min-w-0 [overflow-wrap:anywhere]">
        <p>
          {row
            ? t`${{ message: row.subject.text }} to ${{ destination: getDestination(row) }}`
            : outcome.messageId}
        </p>
        {outcome.error && <p className="text-muted text-sm">{outcome.error.detail}</p>}
      </div>
    </li>
  )
}

import { plural, t } from '@lingui/core/macro'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { Button } from '@/components/button'
import { Segments } from '@/components/segments'
import { Tooltip } from '@/components/tooltip'
import {
  formatCount,
  formatDuration,
  formatOptionalDuration,
  formatPercentOf,
  formatShare,
  toPercentText,
} from '../format'
import { getOutcomesSentence } from '../sentences'
import { Bar } from './bar'
import { Card } from './card'
import { Legend } from './readout'
import { SERIES } from './series'
import { type Outcome, type OutcomeKind, SmallMultiples } from './small-multiples'
import { Sparkline } from './sparkline'

type OutcomesProps = { title: string; kind: OutcomeKind; outcomes: readonly Outcome[]; className?: string }

const MAX_SHOWN = 6
const LEGEND = [SERIES.asSuggested, SERIES.edited, SERIES.rejected]

type View = 'totals' | 'time'

export function Outcomes({ title, kind, outcomes, className }: OutcomesProps) {
  const [view, setView] = useState<View>('totals')
  const [all, setAll] = useState(false)
  const shown = all ? outcomes : outcomes.slice(0, MAX_SHOWN)
  const views: { id: View; label: string }[] = [
    { id: 'totals', label: t`Totals` },
    { id: 'time', label: t({ message: 'Trend', comment: 'Shows how rates change over time' }) },
  ]
  const empty =
    kind === 'agent'
      ? t`No agent requested a review in this period.`
      : t`No reviews were requested in this period.`
  return (
    <Card
      title={title}
      sentence={getOutcomesSentence(outcomes)}
      empty={outcomes.length === 0 && empty}
      className={className}
      controls={<Segments label={t`${title}: view`} value={view} onChange={setView} options={views} />}
      table={{
        columns: [
          { label: kind === 'agent' ? t`Agent` : t`Review type` },
          { label: t({ message: 'Requested', context: 'reviews' }) },
          { label: t`Decided` },
          { label: t({ message: 'Approved', context: 'reviews' }) },
          { label: t({ message: 'Rejected', context: 'reviews' }) },
          { label: t({ message: 'Edited', context: 'reviews' }) },
          { label: t({ message: 'Auto-approved', context: 'reviews' }) },
          { label: t`Approval rate`, show: toPercentText },
          { label: t`Edit rate`, show: toPercentText },
          { label: t`Median time`, unit: t`seconds`, show: formatDuration },
          { label: t`90th percentile`, unit: t`seconds`, show: formatDuration },
        ],
        rows: outcomes.map(outcome => [
          outcome.name,
          outcome.requested,
          outcome.decided,
          outcome.approved,
          outcome.rejected,
          outcome.edited,
          outcome.autoApproved,
          formatShare(outcome.approved, outcome.approved + outcome.rejected),
          formatShare(outcome.edited, outcome.approved),
          outcome.medianSeconds,
          outcome.p90Seconds,
        ]),
      }}
    >
      {() =>
        view === 'time' ? (
          <SmallMultiples
            outcomes={outcomes.slice(0, MAX_SHOWN)}
            left={Math.max(0, outcomes.length - MAX_SHOWN)}
            kind={kind}
          />
        ) : (
          <>
            <Legend items={LEGEND} />
            <ul className="mt-1">
              {shown.map(outcome => (
                <Row key={outcome.id} outcome={outcome} />
              ))}
            </ul>
            {outcomes.length > MAX_SHOWN && (
              <Button size="small" kind="quiet" className="self-start" onClick={() => setAll(!all)}>
                {all ? t`Show less` : t`Show all ${{ count: formatCount(outcomes.length) }}`}
              </Button>
            )}
          </>
        )
      }
    </Card>
  )
}

function Row({ outcome }: { outcome: Outcome }) {
  const { name, approved, rejected, edited, decided, series } = outcome
  const whole = approved + rejected
  const text = describe(outcome)
  return (
    <li className="border-line border-b py-2 last:border-b-0">
      <div className="flex items-baseline gap-3">
        <Tooltip label={text}>
          <Link
            dir="auto"
            to="/insights"
            search={outcome.search}
            className="min-w-0 flex-1 truncate font-medium hover:text-accent hover:underline pointer-coarse:py-2"
          >
            {name}
          </Link>
        </Tooltip>
        <span className="shrink-0 text-muted text-sm">{t`${{ count: formatCount(decided) }} decided`}</span>
      </div>
      <div className="mt-1 flex items-center gap-3">
        <Bar
          label={text}
          parts={
            whole === 0
              ? []
              : [
                  { share: (approved - edited) / whole, color: SERIES.asSuggested.color },
                  { share: edited / whole, color: SERIES.edited.color },
                  { share: rejected / whole, color: SERIES.rejected.color },
                ]
          }
          className="min-w-0 flex-1"
        />
        <Sparkline values={series} kind="columns" className="h-5 w-20 shrink-0 @lg:w-28" />
      </div>
      <p className="mt-0.5 text-muted text-sm">{whole === 0 ? t`No decisions yet` : getRates(outcome)}</p>
    </li>
  )
}

function getRates({ approved, rejected, edited, medianSeconds }: Outcome): string {
  const approvalRate = formatPercentOf(approved, approved + rejected)
  const editRate = formatPercentOf(edited, approved)
  const median = formatOptionalDuration(medianSeconds)
  return t`${approvalRate} approved, ${editRate} edited, ${median} median`
}

function describe({ name, approved, edited, autoApproved, p90Seconds, ...outcome }: Outcome): string {
  const asSuggested = approved - edited
  const [withEdits, rejected] = [formatCount(edited), formatCount(outcome.rejected)]
  if (p90Seconds === null)
    return t`${name}: ${plural(asSuggested, { one: '# review approved', other: '# reviews approved' })} as suggested, ${withEdits} with edits, ${rejected} rejected${plural(autoApproved, { 0: '', other: ', # auto-approved' })}`
  const p90 = formatDuration(p90Seconds)
  return t`${name}: ${plural(asSuggested, { one: '# review approved', other: '# reviews approved' })} as suggested, ${withEdits} with edits, ${rejected} rejected${plural(autoApproved, { 0: '', other: ', # auto-approved' })}, 90% decided within ${p90}`
}

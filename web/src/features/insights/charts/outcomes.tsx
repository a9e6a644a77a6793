import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import type { InsightsQuestion } from '@/api/insights'
import { Button } from '@/components/button'
import { Tooltip } from '@/components/tooltip'
import type { InsightsSearch } from '../search-params'
import { outcomesSentence } from '../sentences'
import { count, counted, duration, durationOrNone, percent, percentOf, share } from '../words'
import { Bar } from './bar'
import { Card } from './card'
import { Legend } from './readout'
import { Segments } from './segments'
import { SERIES } from './series'
import { SmallMultiples } from './small-multiples'
import { Sparkline } from './sparkline'

/** An agent or a review type with what was decided about it. */
export type Outcome = {
  id: string
  name: string
  requested: number
  decided: number
  approved: number
  rejected: number
  edited: number
  autoApproved: number
  medianSeconds: number | null
  p90Seconds: number | null
  series: readonly number[]
  /** The page about it alone. */
  search: InsightsSearch
  question: InsightsQuestion
}

type OutcomesProps = { title: string; one: string; outcomes: readonly Outcome[]; className?: string }

const FIRST = 6
const LEGEND = [SERIES.asSuggested, SERIES.edited, SERIES.rejected]
const VIEWS = [
  { id: 'totals', label: 'Totals' },
  { id: 'time', label: 'Trend' },
] as const

export function Outcomes({ title, one, outcomes, className }: OutcomesProps) {
  const [view, setView] = useState<'totals' | 'time'>('totals')
  const [all, setAll] = useState(false)
  const shown = all ? outcomes : outcomes.slice(0, FIRST)
  return (
    <Card
      title={title}
      sentence={outcomesSentence(outcomes)}
      empty={outcomes.length === 0 && `No ${one} was asked for a review in this period.`}
      className={className}
      controls={<Segments label={`${title}: show`} value={view} onChange={setView} options={VIEWS} />}
      table={{
        columns: [
          { label: one[0]?.toUpperCase() + one.slice(1) },
          { label: 'Requested' },
          { label: 'Decided' },
          { label: 'Approved' },
          { label: 'Rejected' },
          { label: 'Edited' },
          { label: 'Approved automatically' },
          { label: 'Approval rate', show: percent },
          { label: 'Edit rate', show: percent },
          { label: 'Median', unit: 'seconds', show: duration },
          { label: '90th percentile', unit: 'seconds', show: duration },
        ],
        rows: outcomes.map(outcome => [
          outcome.name,
          outcome.requested,
          outcome.decided,
          outcome.approved,
          outcome.rejected,
          outcome.edited,
          outcome.autoApproved,
          share(outcome.approved, outcome.approved + outcome.rejected),
          share(outcome.edited, outcome.approved),
          outcome.medianSeconds,
          outcome.p90Seconds,
        ]),
      }}
    >
      {() =>
        view === 'time' ? (
          <SmallMultiples
            outcomes={outcomes.slice(0, FIRST)}
            left={Math.max(0, outcomes.length - FIRST)}
            one={one}
          />
        ) : (
          <>
            <Legend items={LEGEND} />
            <ul className="mt-1">
              {shown.map(outcome => (
                <Row key={outcome.id} outcome={outcome} />
              ))}
            </ul>
            {outcomes.length > FIRST && (
              <Button
                size="small"
                kind="quiet"
                className="self-start max-md:h-11"
                onClick={() => setAll(!all)}
              >
                {all ? 'Show fewer' : `Show all ${count(outcomes.length)}`}
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
  const text = described(outcome)
  return (
    <li className="border-line border-b py-2 last:border-b-0">
      <div className="flex items-baseline gap-3">
        <Tooltip label={text}>
          <Link
            to="/insights"
            search={outcome.search}
            className="min-w-0 flex-1 truncate font-medium hover:text-accent hover:underline max-md:py-2"
          >
            {name}
          </Link>
        </Tooltip>
        <span className="shrink-0 text-muted text-sm">{count(decided)} decided</span>
      </div>
      <div className="mt-1 flex items-center gap-3">
        <Bar
          label={text}
          parts={
            whole === 0
              ? []
              : [
                  { share: (approved - edited) / whole, colour: SERIES.asSuggested.colour },
                  { share: edited / whole, colour: SERIES.edited.colour },
                  { share: rejected / whole, colour: SERIES.rejected.colour },
                ]
          }
          className="min-w-0 flex-1"
        />
        <Sparkline values={series} kind="columns" className="h-5 w-20 shrink-0 @lg:w-28" />
      </div>
      <p className="mt-0.5 text-muted text-sm">
        {whole === 0
          ? 'nothing decided yet'
          : `${percentOf(approved, whole)} approved, ${percentOf(edited, approved)} edited, ${durationOrNone(outcome.medianSeconds)} median`}
      </p>
    </li>
  )
}

function described({ name, approved, rejected, edited, autoApproved, p90Seconds }: Outcome): string {
  return [
    `${name}: ${counted(approved - edited, 'review')} approved as suggested`,
    `${count(edited)} after edits`,
    `${count(rejected)} rejected`,
    autoApproved > 0 ? `${count(autoApproved)} approved automatically` : '',
    p90Seconds === null ? '' : `nine of ten within ${duration(p90Seconds)}`,
  ]
    .filter(Boolean)
    .join(', ')
}

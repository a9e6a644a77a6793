import { plural, t } from '@lingui/core/macro'
import { useQueries } from '@tanstack/react-query'
import { type InsightsFilters, insightsQuery } from '@/api/insights'
import { Button } from '@/components/button'
import { rateScale } from '../scales'
import type { InsightsSearch } from '../search-params'
import { getRatesSentence } from '../sentences'
import { buildAxis } from '../slots'
import { RateLines, rateLegend, rateReadings, toRatePoints } from './rates'
import { Legend } from './readout'
import { TimePlot } from './time-plot'

/** An agent or a review type with its outcomes. */
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
  /** The search parameters of the page about it alone. */
  search: InsightsSearch
  question: InsightsFilters
}

/** What outcomes are grouped by. */
export type OutcomeKind = 'agent' | 'reviewType'

const HEIGHT = 120
/** A part has few decisions: fewer and longer steps keep its lines calm. */
const MAX_SHOWN = 6

/** A small chart for each, on one scale. Loaded when it's shown. */
export function SmallMultiples({
  outcomes,
  left,
  kind,
}: {
  outcomes: readonly Outcome[]
  /** How many more there are. */
  left: number
  kind: OutcomeKind
}) {
  const answers = useQueries({ queries: outcomes.map(({ question }) => insightsQuery(question)) })
  return (
    <>
      <Legend items={rateLegend()} />
      <ul className="mt-2 grid @lg:grid-cols-2 gap-x-6 gap-y-3">
        {outcomes.map((outcome, place) => (
          <Panel key={outcome.id} outcome={outcome} answer={answers[place]} />
        ))}
      </ul>
      {left > 0 && <p className="mt-2 text-muted text-sm">{getHiddenText(kind, left)}</p>}
    </>
  )
}

function getHiddenText(kind: OutcomeKind, count: number): string {
  return kind === 'agent'
    ? plural(count, {
        one: "# more agent isn't shown. Use the agent filter to see it.",
        other: "# more agents aren't shown. Use the agent filter to see them.",
      })
    : plural(count, {
        one: "# more review type isn't shown. Use the review type filter to see it.",
        other: "# more review types aren't shown. Use the review type filter to see them.",
      })
}

function Panel({
  outcome,
  answer,
}: {
  outcome: Outcome
  answer: ReturnType<typeof useQueries<ReturnType<typeof insightsQuery>[]>>[number] | undefined
}) {
  const insights = answer?.data
  const grouped = insights && toRatePoints(insights.series, buildAxis(insights, new Date()), MAX_SHOWN)
  const nothing = insights && insights.totals.approved + insights.totals.rejected === 0
  return (
    <li className="min-w-0">
      <p dir="auto" className="truncate font-medium text-sm">
        {outcome.name}
      </p>
      {insights && grouped && !nothing ? (
        <TimePlot
          axis={grouped.axis}
          scale={rateScale()}
          name={outcome.name}
          label={t`${{ name: outcome.name }}: ${{ summary: getRatesSentence(insights.totals) }}`}
          height={HEIGHT}
          ticksApart={90}
          readings={place => rateReadings(grouped.points[place])}
        >
          {({ middle, y }) => <RateLines points={grouped.points} middle={middle} y={y} />}
        </TimePlot>
      ) : (
        <div
          style={{ height: HEIGHT }}
          className="flex flex-col items-center justify-center gap-2 rounded bg-sunken text-muted text-sm"
        >
          {answer?.isError ? (
            <>
              <p role="alert">{t`Couldn't load this chart`}</p>
              <Button size="small" busy={answer.isFetching} onClick={() => void answer.refetch()}>
                {t`Try again`}
              </Button>
            </>
          ) : (
            nothing && <p>{t`No decisions`}</p>
          )}
        </div>
      )}
    </li>
  )
}

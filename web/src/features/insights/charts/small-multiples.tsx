import { useQueries } from '@tanstack/react-query'
import { insightsQuery } from '@/api/insights'
import { rateScale } from '../scales'
import { ratesSentence } from '../sentences'
import { axisOf } from '../slots'
import { counted } from '../words'
import type { Outcome } from './outcomes'
import { RATES, RateLines, rated, rateReadings } from './rates'
import { Legend } from './readout'
import { TimePlot } from './time-plot'

const HEIGHT = 120
/** A part has few decisions: fewer and fuller steps keep its lines calm. */
const MOST = 6

/** The same small picture of each, all on one scale. Asked for only when somebody wants to see it. */
export function SmallMultiples({
  outcomes,
  left,
  one,
}: {
  outcomes: readonly Outcome[]
  /** How many more there are. */
  left: number
  one: string
}) {
  const answers = useQueries({ queries: outcomes.map(({ question }) => insightsQuery(question)) })
  return (
    <>
      <Legend items={RATES} />
      <ul className="mt-2 grid @lg:grid-cols-2 gap-x-6 gap-y-3">
        {outcomes.map((outcome, place) => (
          <Panel key={outcome.id} outcome={outcome} answer={answers[place]} />
        ))}
      </ul>
      {left > 0 && (
        <p className="mt-2 text-muted text-sm">
          The most decided are shown; choose one of the other {counted(left, one)} above to see it alone.
        </p>
      )}
    </>
  )
}

function Panel({
  outcome,
  answer,
}: {
  outcome: Outcome
  answer: ReturnType<typeof useQueries<ReturnType<typeof insightsQuery>[]>>[number] | undefined
}) {
  const insights = answer?.data
  const grouped = insights && rated(insights.series, axisOf(insights, new Date()), MOST)
  const nothing = insights && insights.totals.approved + insights.totals.rejected === 0
  return (
    <li className="min-w-0">
      <p className="truncate font-medium text-sm">{outcome.name}</p>
      {insights && grouped && !nothing ? (
        <TimePlot
          axis={grouped.axis}
          scale={rateScale}
          name={outcome.name}
          label={`${outcome.name}: ${ratesSentence(insights.totals)}`}
          height={HEIGHT}
          ticksApart={90}
          readings={place => rateReadings(grouped.points[place])}
        >
          {({ middle, y }) => <RateLines points={grouped.points} middle={middle} y={y} />}
        </TimePlot>
      ) : (
        <p
          style={{ height: HEIGHT }}
          className="flex items-center justify-center rounded bg-sunken text-muted text-sm"
        >
          {answer?.isError ? 'Could not be read.' : nothing ? 'Nothing was decided.' : ''}
        </p>
      )}
    </li>
  )
}

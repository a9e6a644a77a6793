import { t } from '@lingui/core/macro'
import type { Insights, InsightsPoint } from '@/api/insights'
import { buildBins, MAX_BINS, sum } from '../bins'
import { formatCount, formatPercentOf, formatShare, toPercentText } from '../format'
import { rateScale } from '../scales'
import { getRatesSentence } from '../sentences'
import { type Axis, getRangeName } from '../slots'
import { Card } from './card'
import { Line } from './lines'
import { Legend } from './readout'
import { SERIES } from './series'
import { TimePlot } from './time-plot'

export type RatePoint = { approved: number; rejected: number; edited: number }

/** Decisions merged over neighboring steps, and the matching axis. */
export function toRatePoints(
  series: readonly InsightsPoint[],
  axis: Axis,
  most = MAX_BINS,
): { points: RatePoint[]; axis: Axis } {
  const groups = buildBins(series.length, most)
  const points = groups.map(({ from, to }) => {
    const part = series.slice(from, to)
    return {
      approved: sum(part.map(point => point.approved)),
      rejected: sum(part.map(point => point.rejected)),
      edited: sum(part.map(point => point.edited)),
    }
  })
  const slots = groups.flatMap(({ from, to }) => {
    const [first, last] = [axis.slots[from], axis.slots[to - 1]]
    if (first === undefined || last === undefined) return []
    const name = getRangeName(axis, first, last)
    return [
      {
        start: first.start,
        last: last.last,
        name,
        state: last.state === 'future' ? first.state : last.state,
      },
    ]
  })
  return { points, axis: { ...axis, slots } }
}

const percentOfTotal = (part: number, whole: number): string =>
  t`${{ percent: formatPercentOf(part, whole) }} of ${{ total: formatCount(whole) }}`

export const rateReadings = (point: RatePoint | undefined) =>
  point === undefined
    ? []
    : [
        {
          ...SERIES.approvalRate,
          value: percentOfTotal(point.approved, point.approved + point.rejected),
        },
        {
          ...SERIES.editRate,
          value: percentOfTotal(point.edited, point.approved),
        },
      ]

export function RateLines({
  points,
  middle,
  y,
}: {
  points: readonly RatePoint[]
  middle: (place: number) => number
  y: (value: number) => number
}) {
  const dots = (rate: (point: RatePoint) => number | null) =>
    points.map((point, place) => {
      const value = rate(point)
      return value === null ? null : { x: middle(place), y: y(value) }
    })
  return (
    <>
      <Line
        dots={dots(point => formatShare(point.approved, point.approved + point.rejected))}
        color={SERIES.approvalRate.color}
      />
      <Line
        dots={dots(point => formatShare(point.edited, point.approved))}
        color={SERIES.editRate.color}
        dashed
      />
    </>
  )
}

export const rateLegend = () =>
  [
    { ...SERIES.approvalRate, look: 'line' },
    { ...SERIES.editRate, look: 'dots' },
  ] as const

export function Rates({ insights, axis, className }: { insights: Insights; axis: Axis; className?: string }) {
  const { totals } = insights
  const grouped = toRatePoints(insights.series, axis)
  const name = t`Approval and edit rates`
  return (
    <Card
      title={name}
      sentence={getRatesSentence(totals)}
      empty={totals.approved + totals.rejected === 0 && t`No approvals or rejections in this period.`}
      className={className}
      table={{
        columns: [
          { label: t`Date` },
          { label: t({ message: 'Approved', context: 'reviews' }) },
          { label: t({ message: 'Rejected', context: 'reviews' }) },
          { label: t({ message: 'Edited', context: 'reviews' }) },
          { label: t`Approval rate`, show: toPercentText },
          { label: t`Edit rate`, show: toPercentText },
        ],
        rows: grouped.points.map(({ approved, rejected, edited }, place) => [
          grouped.axis.slots[place]?.name ?? '',
          approved,
          rejected,
          edited,
          formatShare(approved, approved + rejected),
          formatShare(edited, approved),
        ]),
      }}
    >
      {label => (
        <>
          <Legend items={rateLegend()} />
          <TimePlot
            axis={grouped.axis}
            scale={rateScale()}
            name={name}
            label={label}
            readings={place => rateReadings(grouped.points[place])}
          >
            {({ middle, y }) => <RateLines points={grouped.points} middle={middle} y={y} />}
          </TimePlot>
        </>
      )}
    </Card>
  )
}

import { t } from '@lingui/core/macro'
import type { Insights, InsightsPoint } from '@/api/insights'
import { formatCount } from '../format'
import { countScale } from '../scales'
import { getActivitySentence } from '../sentences'
import type { Axis } from '../slots'
import { Card } from './card'
import { Columns } from './columns'
import { Legend } from './readout'
import { SERIES } from './series'
import { type Geometry, TimePlot } from './time-plot'

/** Requests as a line over decisions as columns: where the line is higher, work piles up. */
export function Activity({
  insights,
  axis,
  className,
}: {
  insights: Insights
  axis: Axis
  className?: string
}) {
  const { series, totals } = insights
  const automatic = totals.autoApproved > 0
  const requests = series.filter((_, place) => axis.slots[place]?.state !== 'future')
  const scale = countScale(
    Math.max(
      ...series.map(point => Math.max(point.requested, point.approved + point.rejected + point.autoApproved)),
    ),
  )
  const name = t`Requests and decisions`
  return (
    <Card
      title={name}
      sentence={getActivitySentence(totals, series, axis.slots)}
      empty={
        totals.requested + totals.decided + totals.autoApproved === 0 &&
        t`No requests or decisions in this period.`
      }
      className={className}
      table={{
        columns: [
          { label: t`Date` },
          { label: SERIES.requested.label },
          { label: SERIES.approved.label },
          { label: SERIES.rejected.label },
          { label: SERIES.automatic.label },
        ],
        rows: series.map((point, place) => [
          axis.slots[place]?.name ?? '',
          point.requested,
          point.approved,
          point.rejected,
          point.autoApproved,
        ]),
      }}
    >
      {label => (
        <>
          <Legend
            items={[
              { ...SERIES.requested, look: 'line' },
              SERIES.approved,
              SERIES.rejected,
              ...(automatic ? [SERIES.automatic] : []),
            ]}
          />
          <TimePlot
            shared
            axis={axis}
            scale={scale}
            name={name}
            label={label}
            height={240}
            readings={place => {
              const point = series[place]
              if (point === undefined) return []
              return [
                { ...SERIES.requested, value: formatCount(point.requested) },
                { ...SERIES.approved, value: formatCount(point.approved) },
                { ...SERIES.rejected, value: formatCount(point.rejected) },
                ...(automatic ? [{ ...SERIES.automatic, value: formatCount(point.autoApproved) }] : []),
              ]
            }}
          >
            {geometry => (
              <>
                <Columns
                  slots={axis.slots}
                  geometry={geometry}
                  stacks={series.map(point => [
                    { value: point.approved, color: SERIES.approved.color },
                    { value: point.rejected, color: SERIES.rejected.color },
                    { value: point.autoApproved, color: SERIES.automatic.color },
                  ])}
                />
                <path
                  d={outline(requests, geometry)}
                  fill="none"
                  stroke={SERIES.requested.color}
                  strokeWidth={geometry.band < 8 ? 0.75 : 1.25}
                  strokeLinejoin="round"
                />
              </>
            )}
          </TimePlot>
        </>
      )}
    </Card>
  )
}

/** A stepped line with each step at full width, so that line and columns cover the same days. */
const outline = (points: readonly InsightsPoint[], { left, y }: Geometry): string =>
  points
    .map(({ requested }, place) => {
      const height = y(requested).toFixed(1)
      return `${place === 0 ? 'M' : 'L'}${left(place).toFixed(1)},${height}H${left(place + 1).toFixed(1)}`
    })
    .join('')

import { t } from '@lingui/core/macro'
import type { Insights } from '@/api/insights'
import { formatDuration, formatOptionalDuration } from '../format'
import { durationScale } from '../scales'
import { getTimesSentence } from '../sentences'
import type { Axis } from '../slots'
import { Card } from './card'
import { Band, Line } from './lines'
import { Legend } from './readout'
import { SERIES } from './series'
import { TimePlot } from './time-plot'

const legend = () =>
  [
    { ...SERIES.median, look: 'line' },
    { label: t`Up to 90th percentile`, color: 'color-mix(in srgb, var(--approved) 26%, transparent)' },
  ] as const

export function Times({ insights, axis, className }: { insights: Insights; axis: Axis; className?: string }) {
  const { series, totals } = insights
  const known = series.flatMap(({ medianSeconds, p90Seconds }) =>
    medianSeconds === null || p90Seconds === null ? [] : [medianSeconds, p90Seconds],
  )
  const name = t`Time to decision`
  return (
    <Card
      title={name}
      sentence={getTimesSentence(totals)}
      empty={known.length === 0 && t`No decisions in this period.`}
      className={className}
      table={{
        columns: [
          { label: t`Date` },
          { label: t`Median`, unit: t`seconds`, show: formatDuration },
          { label: t`90th percentile`, unit: t`seconds`, show: formatDuration },
        ],
        rows: series.map((point, place) => [
          axis.slots[place]?.name ?? '',
          point.medianSeconds,
          point.p90Seconds,
        ]),
      }}
    >
      {label => (
        <>
          <Legend items={legend()} />
          <TimePlot
            shared
            axis={axis}
            scale={durationScale(known)}
            name={name}
            label={label}
            readings={place => [
              { ...SERIES.median, value: formatOptionalDuration(series[place]?.medianSeconds ?? null) },
              { label: SERIES.p90.label, value: formatOptionalDuration(series[place]?.p90Seconds ?? null) },
            ]}
          >
            {({ middle, y }) => {
              const dots = series.map(({ medianSeconds, p90Seconds }, place) =>
                medianSeconds === null || p90Seconds === null
                  ? null
                  : { x: middle(place), y: y(p90Seconds), low: y(medianSeconds) },
              )
              return (
                <>
                  <Band dots={dots} color={SERIES.p90.color} />
                  <Line dots={dots.map(dot => dot && { x: dot.x, y: dot.low })} color={SERIES.median.color} />
                </>
              )
            }}
          </TimePlot>
        </>
      )}
    </Card>
  )
}

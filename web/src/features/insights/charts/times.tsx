import type { Insights } from '@/api/insights'
import { durationScale } from '../scales'
import { timesSentence } from '../sentences'
import type { Axis } from '../slots'
import { duration, durationOrNone } from '../words'
import { Card } from './card'
import { Band, Line } from './lines'
import { Legend } from './readout'
import { SERIES } from './series'
import { TimePlot } from './time-plot'

const LEGEND = [
  { ...SERIES.median, look: 'line' },
  { label: 'up to nine of ten', colour: 'color-mix(in srgb, var(--approved) 26%, transparent)' },
] as const

export function Times({ insights, axis, className }: { insights: Insights; axis: Axis; className?: string }) {
  const { series, totals } = insights
  const known = series.flatMap(({ medianSeconds, p90Seconds }) =>
    medianSeconds === null || p90Seconds === null ? [] : [medianSeconds, p90Seconds],
  )
  const name = 'Time to decision'
  return (
    <Card
      title={name}
      sentence={timesSentence(totals)}
      empty={known.length === 0 && 'Nobody decided anything in this period.'}
      className={className}
      table={{
        columns: [
          { label: 'When' },
          { label: 'Median', unit: 'seconds', show: duration },
          { label: '90th percentile', unit: 'seconds', show: duration },
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
          <Legend items={LEGEND} />
          <TimePlot
            shared
            axis={axis}
            scale={durationScale(known)}
            name={name}
            label={label}
            readings={place => [
              { ...SERIES.median, value: durationOrNone(series[place]?.medianSeconds ?? null) },
              { label: SERIES.p90.label, value: durationOrNone(series[place]?.p90Seconds ?? null) },
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
                  <Band dots={dots} colour={SERIES.p90.colour} />
                  <Line
                    dots={dots.map(dot => dot && { x: dot.x, y: dot.low })}
                    colour={SERIES.median.colour}
                  />
                </>
              )
            }}
          </TimePlot>
        </>
      )}
    </Card>
  )
}

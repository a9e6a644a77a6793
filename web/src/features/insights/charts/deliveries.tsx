import { t } from '@lingui/core/macro'
import type { Insights } from '@/api/insights'
import { formatCount, formatMilliseconds, formatPercentOf } from '../format'
import { countScale } from '../scales'
import { getDeliveriesSentence } from '../sentences'
import type { Axis } from '../slots'
import { Card } from './card'
import { Columns } from './columns'
import { Legend } from './readout'
import { SERIES } from './series'
import { TimePlot } from './time-plot'

export function Deliveries({
  insights,
  axis,
  className,
}: {
  insights: Insights
  axis: Axis
  className?: string
}) {
  const { deliveries } = insights
  const { series } = deliveries
  const name = t`Deliveries`
  const facts = [
    [t`Delivered`, formatPercentOf(deliveries.succeeded, deliveries.total)],
    [t`On first attempt`, formatPercentOf(deliveries.firstTry, deliveries.total)],
    [t`Retrying`, formatCount(deliveries.retrying)],
    [t`Failed`, formatCount(deliveries.dead)],
    [t`In progress`, formatCount(deliveries.pending)],
    [t`Median attempt time`, deliveries.medianMs === null ? '–' : formatMilliseconds(deliveries.medianMs)],
  ]
  return (
    <Card
      title={t`Delivery health`}
      sentence={getDeliveriesSentence(deliveries)}
      empty={deliveries.total === 0 && t`No deliveries in this period.`}
      className={className}
      table={{
        columns: [{ label: t`Date` }, { label: t`Delivered` }, { label: t`Failed or retrying` }],
        rows: series.map((point, place) => [axis.slots[place]?.name ?? '', point.succeeded, point.failed]),
      }}
    >
      {label => (
        <>
          <dl className="mb-3 grid @md:grid-cols-6 grid-cols-3 gap-x-4 gap-y-2">
            {facts.map(([label, value]) => (
              <div key={label} className="flex min-w-0 flex-col-reverse justify-end">
                <dt className="text-muted text-xs">{label}</dt>
                <dd className="font-medium text-lg">{value}</dd>
              </div>
            ))}
          </dl>
          <Legend items={[SERIES.succeeded, SERIES.failed]} />
          <TimePlot
            shared
            axis={axis}
            scale={countScale(Math.max(...series.map(point => point.succeeded + point.failed)))}
            name={name}
            label={label}
            height={250}
            readings={place => [
              { ...SERIES.succeeded, value: formatCount(series[place]?.succeeded ?? 0) },
              { ...SERIES.failed, value: formatCount(series[place]?.failed ?? 0) },
            ]}
          >
            {geometry => (
              <Columns
                slots={axis.slots}
                geometry={geometry}
                stacks={series.map(point => [
                  { value: point.succeeded, color: SERIES.succeeded.color },
                  { value: point.failed, color: SERIES.failed.color },
                ])}
              />
            )}
          </TimePlot>
        </>
      )}
    </Card>
  )
}

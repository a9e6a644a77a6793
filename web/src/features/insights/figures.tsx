import { plural, t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { ArrowDown, ArrowUp, Equal } from 'lucide-react'
import type { ReactNode } from 'react'
import type { Insights } from '@/api/insights'
import { RelativeTime } from '@/components/relative-time'
import { classes } from '@/lib/classes'
import { buildBins, sum } from './bins'
import { toRatePoints } from './charts/rates'
import { Sparkline } from './charts/sparkline'
import { formatCount, formatDuration, formatOptionalDuration, formatPercentOf, formatShare } from './format'
import type { Axis } from './slots'
import { type Change, compareCounts, compareRates, compareTimes } from './trend'

/** The key figures. `before` names the days they are compared with. */
export function Figures({ insights, axis, before }: { insights: Insights; axis: Axis; before: string }) {
  const { totals, open, deliveries, series } = insights
  const { previous } = totals
  const past = series.filter((_, place) => axis.slots[place]?.state !== 'future')
  const rates = toRatePoints(past, { ...axis, slots: axis.slots.slice(0, past.length) }).points
  const succeeded = buildBins(past.length).map(({ from, to }) => {
    const part = deliveries.series.slice(from, to)
    return formatShare(
      sum(part.map(point => point.succeeded)),
      sum(part.map(point => point.succeeded + point.failed)),
    )
  })
  const failed = deliveries.retrying + deliveries.dead
  return (
    <ul className="grid @2xl:grid-cols-3 @4xl:grid-cols-6 grid-cols-2 gap-px overflow-hidden rounded-lg border border-line bg-line">
      <Figure
        label={t({ message: 'Pending', context: 'reviews' })}
        value={formatCount(open.total)}
        picture={<Sparkline kind="columns" values={open.ages.map(age => age.count)} className="h-7 w-full" />}
      >
        {open.oldestAt === null ? (
          t`No pending reviews`
        ) : (
          <Trans>
            Oldest: <RelativeTime at={open.oldestAt} />
          </Trans>
        )}
      </Figure>
      <Figure
        label={t`Decided`}
        value={formatCount(totals.decided)}
        change={compareCounts(totals.decided, previous.decided)}
        before={before}
        picture={
          <Sparkline values={past.map(point => point.approved + point.rejected)} className="h-7 w-full" />
        }
      />
      <Figure
        label={t`Time to decision`}
        value={formatOptionalDuration(totals.medianSeconds)}
        aside={
          totals.p90Seconds === null ? undefined : t`p90 ${{ duration: formatDuration(totals.p90Seconds) }}`
        }
        change={compareTimes(totals.medianSeconds, previous.medianSeconds)}
        before={before}
        picture={
          <Sparkline values={past.map(point => strength(point.medianSeconds))} className="h-7 w-full" />
        }
      />
      <Figure
        label={t`Approval rate`}
        value={formatPercentOf(totals.approved, totals.approved + totals.rejected)}
        change={compareRates(
          formatShare(totals.approved, totals.approved + totals.rejected),
          formatShare(previous.approved, previous.approved + previous.rejected),
        )}
        before={before}
        picture={
          <Sparkline
            most={1}
            values={rates.map(point => formatShare(point.approved, point.approved + point.rejected))}
            className="h-7 w-full"
          />
        }
      />
      <Figure
        label={t`Edit rate`}
        value={formatPercentOf(totals.edited, totals.approved)}
        aside={t({ message: 'of approvals', comment: 'After a percentage: 20% of approvals' })}
        change={compareRates(
          formatShare(totals.edited, totals.approved),
          formatShare(previous.edited, previous.approved),
        )}
        before={before}
        picture={
          <Sparkline
            most={1}
            values={rates.map(point => formatShare(point.edited, point.approved))}
            className="h-7 w-full"
          />
        }
      />
      <Figure
        label={t`Deliveries`}
        value={formatPercentOf(deliveries.succeeded, deliveries.total)}
        aside={
          deliveries.total === 0
            ? undefined
            : t({ message: 'succeeded', comment: 'After a percentage of deliveries: 98% succeeded' })
        }
        picture={<Sparkline most={1} values={succeeded} className="h-7 w-full" />}
      >
        {deliveries.total === 0 ? (
          t`No deliveries`
        ) : failed === 0 && deliveries.pending > 0 ? (
          t`${{ count: formatCount(deliveries.pending) }} in progress, no failures`
        ) : failed === 0 ? (
          plural(deliveries.total, { one: '# delivery, no failures', other: '# deliveries, no failures' })
        ) : (
          <span className={deliveries.dead > 0 ? 'text-warn' : undefined}>{getFailureText(deliveries)}</span>
        )}
      </Figure>
    </ul>
  )
}

function getFailureText({ dead, retrying }: Insights['deliveries']): string {
  const [failedCount, retryingCount] = [formatCount(dead), formatCount(retrying)]
  if (dead === 0) return t`${retryingCount} retrying`
  if (retrying === 0) return t`${failedCount} failed`
  return t`${failedCount} failed, ${retryingCount} retrying`
}

/** A logarithmic scale, as in the chart below, so that one slow Sunday doesn't flatten all other days. */
const strength = (seconds: number | null) => (seconds === null ? null : Math.log1p(seconds / 60))

function Figure({
  label,
  value,
  aside,
  change,
  before,
  picture,
  children,
}: {
  label: string
  value: string
  aside?: string
  change?: Change | null
  before?: string
  picture: ReactNode
  children?: ReactNode
}) {
  return (
    <li className="flex min-w-0 flex-col bg-surface px-3.5 py-3">
      <span className="text-muted text-sm">{label}</span>
      <span className="flex flex-wrap items-baseline gap-x-2">
        <span className="font-semibold text-2xl leading-8">{value}</span>
        {aside !== undefined && <span className="text-muted text-sm">{aside}</span>}
      </span>
      <span className="mb-2 min-h-5 text-muted text-sm">
        {children}
        {change && <Trend change={change} before={before} />}
        {change === null && t`No earlier data`}
      </span>
      <span className="mt-auto">{picture}</span>
    </li>
  )
}

const ARROWS = { up: ArrowUp, down: ArrowDown, same: Equal } as const
const TONES = { plain: 'text-muted', good: 'text-good', bad: 'text-warn' } as const

function Trend({ change, before }: { change: Change; before?: string }) {
  const Arrow = ARROWS[change.direction]
  return (
    <span title={before} className={classes('inline-flex items-center gap-1', TONES[change.tone])}>
      <Arrow className="icon-small" />
      {change.text}
      <span className="sr-only">{before}</span>
    </span>
  )
}

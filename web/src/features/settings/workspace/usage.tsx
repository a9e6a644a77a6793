import { plural, t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import type { Usage } from '@/api/settings/account'
import { RelativeTime } from '@/components/relative-time'
import { Notice } from '@/components/status'
import { classes } from '@/lib/classes'
import { intl } from '@/lib/i18n'
import { formatBytes, formatCount, formatShare } from './format'

type Metered = Usage['reviewRequests']
type Month = Usage['history'][number]

const formatMonth = (month: string, width: 'long' | 'short') =>
  intl(Intl.DateTimeFormat, {
    month: width,
    year: width === 'long' ? 'numeric' : undefined,
    timeZone: 'UTC',
  }).format(new Date(`${month}-15T00:00:00Z`))

/** This month's usage, compared with what the plan includes. */
export function UsageMeters({ usage }: { usage: Usage }) {
  const month = formatMonth(usage.month, 'long')
  const over = Boolean(usage.reviewRequests.overage || usage.dataBytes.overage)
  return (
    <div className="flex max-w-2xl flex-col gap-5">
      <div className="grid gap-x-10 gap-y-5 sm:grid-cols-2">
        <Meter label={t`Review requests`} metered={usage.reviewRequests} show={formatCount} />
        <Meter
          label={t({ message: 'Data', comment: 'Amount of data sent, in bytes' })}
          metered={usage.dataBytes}
          show={formatBytes}
        />
      </div>
      {over && (
        <Notice tone="warn">
          {usage.enforced
            ? t`You've reached this month's limit. New requests are rejected until usage resets.`
            : t`You've gone over your plan's limit. Requests still work, and we track the overage.`}
        </Notice>
      )}
      <p className="text-muted text-sm">
        <Trans>
          {month}. Usage resets <RelativeTime at={usage.resetsAt} />.
        </Trans>{' '}
        {plural({ seats: usage.billableSeats }, { one: '# billable seat.', other: '# billable seats.' })}{' '}
        {usage.limits.rate ? getRateLimitText(usage.limits.rate) : t`No API rate limit.`}
      </p>
    </div>
  )
}

function getRateLimitText(rate: { perSecond: number; burst: number }): string {
  const burst = formatCount(rate.burst)
  return plural(
    { perSecond: rate.perSecond },
    {
      one: `API rate limit: # request per second, with bursts of up to ${burst}.`,
      other: `API rate limit: # requests per second, with bursts of up to ${burst}.`,
    },
  )
}

function Meter({
  label,
  metered,
  show,
}: {
  label: string
  metered: Metered
  show: (amount: number) => string
}) {
  const { used, included, overage } = metered
  const words =
    included === null || included === undefined
      ? t`No limit`
      : t`of ${{ included: show(included) }} per month`
  return (
    <div>
      <p className="text-muted text-sm">{label}</p>
      <p className="font-semibold text-xl">{show(used)}</p>
      {included !== null && included !== undefined && (
        <div className="my-1.5 h-2 overflow-hidden rounded-full bg-line">
          <div
            style={{ width: `${formatShare(used, included)}%` }}
            className={classes('h-full rounded-full', overage ? 'bg-warn' : 'bg-accent-solid')}
          />
        </div>
      )}
      <p className="text-muted text-sm">
        {words}
        {overage ? (
          <strong className="font-medium text-warn">
            {' '}
            ·{' '}
            {t({
              message: `${{ overage: show(overage) }} over`,
              comment: 'Amount beyond what the plan includes',
            })}
          </strong>
        ) : null}
      </p>
    </div>
  )
}

/** Twelve months as bars, the latest last; the numbers are read out and shown on hover. */
export function PastMonths({ months }: { months: readonly Month[] }) {
  const inOrder = [...months].reverse()
  return (
    <div className="mt-6 grid max-w-2xl gap-x-10 gap-y-6 sm:grid-cols-2">
      <Bars
        title={t`Review requests by month`}
        months={inOrder}
        value={month => month.reviewRequests}
        show={formatCount}
      />
      <Bars title={t`Data by month`} months={inOrder} value={month => month.dataBytes} show={formatBytes} />
    </div>
  )
}

function Bars({
  title,
  months,
  value,
  show,
}: {
  title: string
  months: readonly Month[]
  value: (month: Month) => number
  show: (amount: number) => string
}) {
  const highest = Math.max(...months.map(value), 0)
  return (
    <figure>
      <figcaption className="mb-2 flex justify-between text-muted text-sm">
        {title}
        <span>{highest > 0 && t`Peak: ${{ value: show(highest) }}`}</span>
      </figcaption>
      <ol className="flex h-24 items-end gap-1 border-line border-b">
        {months.map((month, index) => {
          const words = t`${{ month: formatMonth(month.month, 'long') }}: ${{ value: show(value(month)) }}`
          return (
            <li key={month.month} title={words} className="flex h-full flex-1 items-end">
              <span className="sr-only">{words}</span>
              <span
                aria-hidden="true"
                style={{ height: `${formatShare(value(month), highest)}%` }}
                className={classes(
                  'w-full rounded-t-xs',
                  index === months.length - 1 ? 'bg-accent-solid' : 'bg-line-strong/60',
                )}
              />
            </li>
          )
        })}
      </ol>
      <div aria-hidden="true" className="mt-1 flex gap-1 text-muted text-xs">
        {months.map((month, index) => (
          <span key={month.month} className="flex-1 text-center">
            {index % 3 === 2 ? formatMonth(month.month, 'short') : ''}
          </span>
        ))}
      </div>
    </figure>
  )
}

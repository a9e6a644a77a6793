import type { Usage } from '@/api/settings/account'
import { Notice } from '@/components/status'
import { Time } from '@/components/time'
import { classes } from '@/lib/classes'
import { bytes, count, share } from './amounts'

type Metered = Usage['reviewRequests']
type Month = Usage['history'][number]

const monthName = (month: string, width: 'long' | 'short') =>
  new Intl.DateTimeFormat('en', {
    month: width,
    year: width === 'long' ? 'numeric' : undefined,
    timeZone: 'UTC',
  }).format(new Date(`${month}-15T00:00:00Z`))

/** What was sent this month, against what is included. */
export function UsageMeters({ usage }: { usage: Usage }) {
  const over = Boolean(usage.reviewRequests.overage || usage.dataBytes.overage)
  return (
    <div className="flex max-w-2xl flex-col gap-5">
      <div className="grid gap-x-10 gap-y-5 sm:grid-cols-2">
        <Meter label="Review requests" metered={usage.reviewRequests} show={count} />
        <Meter label="Data" metered={usage.dataBytes} show={bytes} />
      </div>
      {over && (
        <Notice tone="warn">
          {usage.enforced
            ? 'The fair use of this month is used up: further requests are refused until it ends.'
            : 'More was sent than the plan includes. Nothing is refused; the overage is counted.'}
        </Notice>
      )}
      <p className="text-muted text-sm">
        {monthName(usage.month, 'long')}, counted anew <Time at={usage.resetsAt} />.{' '}
        {seats(usage.billableSeats)}.{' '}
        {usage.limits.rate
          ? `API keys: ${usage.limits.rate.perSecond} call a second, ${usage.limits.rate.burst} at once after a rest.`
          : 'API keys: as fast as they call.'}
      </p>
    </div>
  )
}

const seats = (number: number) => (number === 1 ? 'One billable seat' : `${count(number)} billable seats`)

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
    included === null || included === undefined ? 'no ceiling' : `of ${show(included)} included in a month`
  return (
    <div>
      <p className="text-muted text-sm">{label}</p>
      <p className="font-semibold text-xl">{show(used)}</p>
      {included !== null && included !== undefined && (
        <div className="my-1.5 h-2 overflow-hidden rounded-full bg-line">
          <div
            style={{ width: `${share(used, included)}%` }}
            className={classes('h-full rounded-full', overage ? 'bg-warn' : 'bg-accent-solid')}
          />
        </div>
      )}
      <p className="text-muted text-sm">
        {words}
        {overage ? <strong className="font-medium text-warn"> · {show(overage)} beyond</strong> : null}
      </p>
    </div>
  )
}

/** Twelve months as bars, the latest at the right; the figures are read out and shown on hovering. */
export function MonthsBefore({ months }: { months: readonly Month[] }) {
  const inOrder = [...months].reverse()
  return (
    <div className="mt-6 grid max-w-2xl gap-x-10 gap-y-6 sm:grid-cols-2">
      <Bars
        title="Review requests by month"
        months={inOrder}
        value={month => month.reviewRequests}
        show={count}
      />
      <Bars title="Data by month" months={inOrder} value={month => month.dataBytes} show={bytes} />
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
        <span>{highest > 0 && `most: ${show(highest)}`}</span>
      </figcaption>
      <ol className="flex h-24 items-end gap-1 border-line border-b">
        {months.map((month, index) => {
          const words = `${monthName(month.month, 'long')}: ${show(value(month))}`
          return (
            <li key={month.month} title={words} className="flex h-full flex-1 items-end">
              <span className="sr-only">{words}</span>
              <span
                aria-hidden="true"
                style={{ height: `${share(value(month), highest)}%` }}
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
            {index % 3 === 2 ? monthName(month.month, 'short') : ''}
          </span>
        ))}
      </div>
    </figure>
  )
}

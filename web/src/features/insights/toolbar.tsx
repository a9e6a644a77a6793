import { plural, t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useId, useState } from 'react'
import { activeFormsQuery } from '@/api/forms/lists'
import { localizeName } from '@/api/forms/names'
import { allAgentsQuery } from '@/api/settings/agents'
import { Input, NativeSelect } from '@/components/input'
import { Segments } from '@/components/segments'
import { getPeriodError } from './period-error'
import {
  DEFAULT_RANGE,
  type InsightsSearch,
  MAX_DAYS,
  type Period,
  RANGES,
  type Range,
} from './search-params'

const CUSTOM = 'custom'

/** The dates and filters, which are all in the URL. */
export function Toolbar({
  search,
  period,
  today,
}: {
  search: InsightsSearch
  period: Period
  today: string
}) {
  const navigate = useNavigate()
  const agents = useQuery(allAgentsQuery).data ?? []
  const forms = useQuery(activeFormsQuery).data ?? []
  const custom = search.from !== undefined
  const go = (next: InsightsSearch, replace = false) =>
    navigate({ to: '/insights', search: next, replace, resetScroll: false })
  const { days: _, from: __, to: ___, ...filters } = search

  const choose = (range: string) => {
    if (range === CUSTOM) return go({ ...filters, from: period.from, to: period.to })
    const days = Number(range) as Range
    return go(days === DEFAULT_RANGE ? filters : { ...filters, days })
  }
  const ranges = [
    ...RANGES.map(days => ({
      id: String(days),
      label: plural(days, { one: 'Last # day', other: 'Last # days' }),
    })),
    { id: CUSTOM, label: t({ message: 'Custom', comment: 'Custom date range' }) },
  ]
  return (
    <div className="flex min-w-0 flex-wrap items-center gap-2">
      <Segments
        label={t`Date range`}
        value={custom ? CUSTOM : String(period.days)}
        onChange={choose}
        options={ranges}
      />
      {custom && (
        <Days
          key={`${period.from} ${period.to}`}
          period={period}
          today={today}
          onChange={(from, to) => go({ ...filters, from, to }, true)}
        />
      )}
      <Filter
        label={t`Agent`}
        all={t`All agents`}
        value={search.agent}
        options={agents.map(({ agentId, name }) => ({ id: agentId, name }))}
        // Another agent has other review types.
        onChange={agent => go({ ...search, agent, form: undefined })}
      />
      <Filter
        label={t`Review type`}
        all={t`All review types`}
        value={search.form}
        options={forms
          .filter(({ agentId }) => search.agent === undefined || !agentId || agentId === search.agent)
          .map(form => ({ id: form.formId, name: localizeName(form) }))}
        onChange={form => go({ ...search, form })}
      />
    </div>
  )
}

function Filter({
  label,
  all,
  value,
  options,
  onChange,
}: {
  label: string
  all: string
  value: string | undefined
  options: readonly { id: string; name: string }[]
  onChange: (id: string | undefined) => void
}) {
  return (
    <NativeSelect
      aria-label={label}
      value={value ?? ''}
      onChange={event => onChange(event.target.value || undefined)}
      className="w-auto min-w-36 max-w-56 text-sm max-md:flex-1"
    >
      <option value="">{all}</option>
      {/* A deleted agent or an archived review type can still be in the URL. */}
      {value !== undefined && !options.some(option => option.id === value) && (
        <option value={value}>{value}</option>
      )}
      {options.map(option => (
        <option key={option.id} value={option.id}>
          {option.name}
        </option>
      ))}
    </NativeSelect>
  )
}

/** Takes effect once both dates are valid. */
function Days({
  period,
  today,
  onChange,
}: {
  period: Period
  today: string
  onChange: (from: string, to: string) => void
}) {
  const id = useId()
  const [days, setDays] = useState({ from: period.from, to: period.to })
  const error = getPeriodError(days.from, days.to)
  const change = (next: typeof days) => {
    setDays(next)
    if (getPeriodError(next.from, next.to) === null) onChange(next.from, next.to)
  }
  return (
    <fieldset className="flex flex-wrap items-center gap-1.5" aria-describedby={error ? id : undefined}>
      <legend className="sr-only">{t`Custom date range, up to ${plural(MAX_DAYS, { one: '# day', other: '# days' })}`}</legend>
      <Input
        type="date"
        aria-label={t`Start date`}
        aria-invalid={error !== null || undefined}
        max={today}
        value={days.from}
        onChange={event => change({ ...days, from: event.target.value })}
        className="w-auto text-sm"
      />
      <span className="text-muted">–</span>
      <Input
        type="date"
        aria-label={t`End date`}
        aria-invalid={error !== null || undefined}
        max={today}
        value={days.to}
        onChange={event => change({ ...days, to: event.target.value })}
        className="w-auto text-sm"
      />
      {error !== null && (
        <p id={id} role="alert" className="text-bad text-sm">
          {error}
        </p>
      )}
    </fieldset>
  )
}

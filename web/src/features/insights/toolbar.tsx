import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useId, useState } from 'react'
import { type Choice, insightsChoicesQuery } from '@/api/insights'
import { Input, NativeSelect } from '@/components/input'
import { Segments } from './charts/segments'
import {
  DEFAULT_RANGE,
  type InsightsSearch,
  MOST_DAYS,
  type Period,
  periodFault,
  RANGES,
  type Range,
} from './search-params'

const CUSTOM = 'custom'
const OPTIONS = [
  ...RANGES.map(days => ({ id: String(days), label: `${days} days` })),
  { id: CUSTOM, label: 'Custom' },
]

/** Which days, whose reviews. All of it is in the address. */
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
  const choices = useQuery(insightsChoicesQuery).data
  const custom = search.from !== undefined
  const go = (next: InsightsSearch, replace = false) =>
    navigate({ to: '/insights', search: next, replace, resetScroll: false })
  const { days: _, from: __, to: ___, ...filters } = search

  const choose = (range: string) => {
    if (range === CUSTOM) return go({ ...filters, from: period.from, to: period.to })
    const days = Number(range) as Range
    return go(days === DEFAULT_RANGE ? filters : { ...filters, days })
  }
  const forms = (choices?.forms ?? []).filter(
    form => search.agent === undefined || !form.agentId || form.agentId === search.agent,
  )
  return (
    <div className="flex flex-wrap items-center gap-2">
      <Segments
        label="Period"
        value={custom ? CUSTOM : String(period.days)}
        onChange={choose}
        options={OPTIONS}
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
        label="Agent"
        all="All agents"
        value={search.agent}
        choices={choices?.agents ?? []}
        // Another agent has other review types.
        onChange={agent => go({ ...search, agent, form: undefined })}
      />
      <Filter
        label="Review type"
        all="All review types"
        value={search.form}
        choices={forms}
        onChange={form => go({ ...search, form })}
      />
    </div>
  )
}

function Filter({
  label,
  all,
  value,
  choices,
  onChange,
}: {
  label: string
  all: string
  value: string | undefined
  choices: readonly Choice[]
  onChange: (id: string | undefined) => void
}) {
  return (
    <NativeSelect
      aria-label={label}
      value={value ?? ''}
      onChange={event => onChange(event.target.value || undefined)}
      className="w-auto! min-w-36 max-w-56 text-sm max-md:flex-1"
    >
      <option value="">{all}</option>
      {/* One that is deleted or archived by now can still be asked about. */}
      {value !== undefined && !choices.some(choice => choice.id === value) && (
        <option value={value}>{value}</option>
      )}
      {choices.map(choice => (
        <option key={choice.id} value={choice.id}>
          {choice.name}
        </option>
      ))}
    </NativeSelect>
  )
}

/** Both days are typed before they count: half a period is none. */
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
  const fault = periodFault(days.from, days.to)
  const change = (next: typeof days) => {
    setDays(next)
    if (periodFault(next.from, next.to) === null) onChange(next.from, next.to)
  }
  return (
    <fieldset className="flex flex-wrap items-center gap-1.5" aria-describedby={fault ? id : undefined}>
      <legend className="sr-only">Days to show, at most {MOST_DAYS}</legend>
      <Input
        type="date"
        aria-label="First day"
        aria-invalid={fault !== null || undefined}
        max={today}
        value={days.from}
        onChange={event => change({ ...days, from: event.target.value })}
        className="w-auto! text-sm"
      />
      <span className="text-muted">–</span>
      <Input
        type="date"
        aria-label="Last day"
        aria-invalid={fault !== null || undefined}
        max={today}
        value={days.to}
        onChange={event => change({ ...days, to: event.target.value })}
        className="w-auto! text-sm"
      />
      {fault !== null && (
        <p id={id} role="alert" className="text-bad text-sm">
          {fault}
        </p>
      )}
    </fieldset>
  )
}

import { plural, t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import { Plus, Trash2, X } from 'lucide-react'
import { useState } from 'react'
import { groupsQuery } from '@/api/settings/groups'
import { peopleQuery } from '@/api/settings/people'
import { Button, IconButton } from '@/components/button'
import { Input, LabeledField, NativeSelect } from '@/components/input'
import { Switch } from '@/components/switch'
import { TimeZoneSelect } from '@/components/time-zone-select'
import { ToggleChip } from '@/components/toggle-chip'
import { NumberInput } from '@/form'
import { getLargestUnit, UNITS, type Unit } from '@/lib/durations'
import { formatNumber, intl } from '@/lib/i18n'
import type { TimeLimitCalendar, TimeLimitStep, TimeLimits } from '../document/types'
import { useEditor } from '../editor/editor-context'
import type { Issue } from '../editor/issues'

const MAX_STEPS = 5
/** In the order of the menu. */
const ACTIONS = ['remind', 'handOver', 'reject', 'approve'] as const

function getActionText(action: TimeLimitStep['action']): string {
  switch (action) {
    case 'remind':
      return t({ message: 'remind reviewers', comment: 'Deadline step: after 1 day, remind reviewers' })
    case 'handOver':
      return t({ message: 'escalate to', comment: 'Deadline step: after 1 day, escalate to Legal' })
    case 'reject':
      return t({ message: 'auto-reject', comment: 'Deadline step: after 1 day, auto-reject' })
    case 'approve':
      return t({ message: 'auto-approve as suggested', comment: 'Deadline step: after 1 day, auto-approve' })
  }
}

/** The unit alone: its number is in the input next to it. */
function getUnitText(unit: Unit, count: number): string {
  switch (unit) {
    case 'minutes':
      return plural(count, { one: 'minute', other: 'minutes' })
    case 'hours':
      return plural(count, { one: 'hour', other: 'hours' })
    case 'days':
      return plural(count, { one: 'day', other: 'days' })
  }
}

const isLast = ({ action }: TimeLimitStep) => action === 'reject' || action === 'approve'

/** Deadlines: none, or up to five steps in order of time. */
export function TimeLimitsEditor() {
  const { document, apply, checked } = useEditor()
  const limits = document.timeLimits
  const set = (timeLimits: TimeLimits | null) => apply(before => ({ ...before, timeLimits }), 'timeLimits')
  const getError = (path: string) => getErrorAt(checked.issues, path)
  return (
    <div className="flex flex-col gap-4">
      <Switch
        checked={limits !== null}
        onChange={on => set(on ? FIRST : null)}
        label={t`Set deadlines`}
        help={
          document.trigger || document.autoApprove
            ? t`This has no effect: reviews of this type don't wait for reviewers.`
            : t`The timer starts when the agent sends a revision, and pauses while the review is waiting on the agent.`
        }
      />
      {limits && (
        <>
          <ol className="flex flex-col gap-3">
            {limits.steps.map((step, index) => (
              <Step
                // biome-ignore lint/suspicious/noArrayIndexKey: steps have no identity but their position.
                key={`${index}/${limits.steps.length}`}
                number={index + 1}
                step={step}
                error={getError(`timeLimits.steps[${index}]`)}
                onChange={changed => set({ ...limits, steps: limits.steps.with(index, changed) })}
                {...(limits.steps.length > 1 && {
                  onRemove: () => set({ ...limits, steps: limits.steps.toSpliced(index, 1) }),
                })}
              />
            ))}
          </ol>
          {limits.steps.length < MAX_STEPS && !limits.steps.some(isLast) && (
            <Button
              size="small"
              icon={<Plus />}
              className="self-start"
              onClick={() =>
                set({ ...limits, steps: [...limits.steps, createNextStep(limits.steps.at(-1))] })
              }
            >
              {t`Add step`}
            </Button>
          )}
          <Switch
            checked={limits.calendar !== null}
            onChange={on => set({ ...limits, calendar: on ? DEFAULT_CALENDAR() : null })}
            label={t`Count business hours only`}
            help={t`When off, deadlines run around the clock.`}
          />
          {limits.calendar && (
            <Calendar
              calendar={limits.calendar}
              error={getError('timeLimits.calendar')}
              onChange={calendar => set({ ...limits, calendar })}
            />
          )}
        </>
      )}
    </div>
  )
}

const FIRST: TimeLimits = { calendar: null, steps: [{ afterMinutes: 1_440, action: 'remind', to: null }] }

const createNextStep = (step?: TimeLimitStep): TimeLimitStep => ({
  afterMinutes: (step?.afterMinutes ?? 0) + 1_440,
  action: 'remind',
  to: null,
})

const DEFAULT_CALENDAR = (): TimeLimitCalendar => ({
  timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone,
  days: [1, 2, 3, 4, 5],
  from: '09:00',
  until: '17:00',
})

function getErrorAt(issues: readonly Issue[], path: string): string | null {
  const found = issues.filter(
    issue => issue.severity === 'error' && issue.path.replace(/^form\./, '').startsWith(path),
  )
  return found.length > 0 ? found.map(issue => issue.message).join(' ') : null
}

function ErrorText({ children }: { children: string | null }) {
  return (
    children && (
      <p role="alert" className="text-bad text-sm">
        {children}
      </p>
    )
  )
}

function Step({
  number,
  step,
  error,
  onChange,
  onRemove,
}: {
  number: number
  step: TimeLimitStep
  error: string | null
  onChange: (step: TimeLimitStep) => void
  onRemove?: () => void
}) {
  const [unit, setUnit] = useState(() => getLargestUnit(step.afterMinutes))
  const amount = step.afterMinutes / UNITS[unit]
  const place = formatNumber(number)
  const setAction = (action: TimeLimitStep['action']) =>
    onChange({ ...step, action, to: action === 'handOver' ? (step.to ?? { users: [], groups: [] }) : null })
  return (
    <li className="flex flex-col gap-2 rounded-lg border border-line bg-surface p-3">
      <div className="flex flex-wrap items-center gap-2">
        <span className="text-muted text-sm">
          {t({ message: 'After', comment: 'Starts a row of controls: After [1] [day] [remind reviewers]' })}
        </span>
        <NumberInput
          aria-label={t`Step ${{ number: place }}: delay`}
          whole
          min={1}
          value={step.afterMinutes > 0 ? amount : undefined}
          onChange={(count = 0) => onChange({ ...step, afterMinutes: count * UNITS[unit] })}
          className="w-20"
          aria-invalid={error !== null || undefined}
        />
        <NativeSelect
          aria-label={t`Step ${{ number: place }}: unit`}
          value={unit}
          onChange={event => {
            const chosen = event.target.value as Unit
            setUnit(chosen)
            onChange({ ...step, afterMinutes: amount * UNITS[chosen] })
          }}
          className="w-auto"
        >
          {(Object.keys(UNITS) as Unit[]).map(each => (
            <option key={each} value={each}>
              {getUnitText(each, amount)}
            </option>
          ))}
        </NativeSelect>
        <NativeSelect
          aria-label={t`Step ${{ number: place }}: action`}
          value={step.action}
          onChange={event => setAction(event.target.value as TimeLimitStep['action'])}
          className="w-auto min-w-0"
        >
          {ACTIONS.map(action => (
            <option key={action} value={action}>
              {getActionText(action)}
            </option>
          ))}
        </NativeSelect>
        {onRemove && (
          <IconButton
            label={t`Remove step ${{ number: place }}`}
            icon={<Trash2 />}
            onClick={onRemove}
            className="ms-auto"
          />
        )}
      </div>
      {step.action === 'handOver' && (
        <HandOver
          number={number}
          to={step.to ?? { users: [], groups: [] }}
          onChange={to => onChange({ ...step, to })}
        />
      )}
      <ErrorText>{error}</ErrorText>
    </li>
  )
}

type Target = NonNullable<TimeLimitStep['to']>

function HandOver({ number, to, onChange }: { number: number; to: Target; onChange: (to: Target) => void }) {
  const people = useQuery(peopleQuery).data ?? []
  const groups = useQuery(groupsQuery).data ?? []
  const chosen = [
    ...to.groups.map(id => ({ id, name: groups.find(each => each.groupId === id)?.name ?? id })),
    ...to.users.map(id => ({ id, name: people.find(each => each.email === id)?.name || id })),
  ]
  const add = (id: string) =>
    onChange(
      groups.some(group => group.groupId === id)
        ? { ...to, groups: [...to.groups, id] }
        : { ...to, users: [...to.users, id] },
    )
  const remove = (id: string) =>
    onChange({
      users: to.users.filter(each => each !== id),
      groups: to.groups.filter(each => each !== id),
    })
  return (
    <div className="flex flex-wrap items-center gap-1.5">
      {chosen.map(({ id, name }) => (
        <span
          key={id}
          className="flex items-center gap-1 rounded-md border border-line py-0.5 ps-2 pe-0.5 text-sm"
        >
          <bdi>{name}</bdi>
          <button
            type="button"
            aria-label={t`Step ${{ number: formatNumber(number) }}: remove ${name}`}
            onClick={() => remove(id)}
            className="grid size-6 place-items-center rounded text-muted hover:bg-sunken pointer-coarse:min-h-11 pointer-coarse:min-w-11"
          >
            <X className="icon-small" />
          </button>
        </span>
      ))}
      <NativeSelect
        aria-label={t`Step ${{ number: formatNumber(number) }}: escalate to`}
        value=""
        onChange={event => add(event.target.value)}
        className="w-auto min-w-0"
      >
        <option value="">{t`Select a member or group…`}</option>
        <optgroup label={t`Groups`}>
          {groups
            .filter(({ groupId }) => !to.groups.includes(groupId))
            .map(({ groupId, name }) => (
              <option key={groupId} value={groupId}>
                {name}
              </option>
            ))}
        </optgroup>
        <optgroup label={t`Members`}>
          {people
            .filter(
              ({ email, disabled, role }) => !disabled && role !== 'viewer' && !to.users.includes(email),
            )
            .map(({ email, name }) => (
              <option key={email} value={email}>
                {name ? `${name} (${email})` : email}
              </option>
            ))}
        </optgroup>
      </NativeSelect>
    </div>
  )
}

/** ISO weekdays: Monday is 1. */
const DAYS = [1, 2, 3, 4, 5, 6, 7]
/** A Sunday, for the names of weekdays. */
const SUNDAY = Date.UTC(2026, 10, 15)

const weekday = (day: number): string =>
  intl(Intl.DateTimeFormat, { weekday: 'short', timeZone: 'UTC' }).format(SUNDAY + day * 86_400_000)

function Calendar({
  calendar,
  error,
  onChange,
}: {
  calendar: TimeLimitCalendar
  error: string | null
  onChange: (calendar: TimeLimitCalendar) => void
}) {
  const toggle = (day: number) =>
    onChange({
      ...calendar,
      days: calendar.days.includes(day)
        ? calendar.days.filter(each => each !== day)
        : [...calendar.days, day].sort(),
    })
  return (
    <div className="flex flex-col gap-3 rounded-lg border border-line bg-surface p-3">
      <fieldset className="flex flex-wrap gap-1">
        <legend className="sr-only">{t`Business days`}</legend>
        {DAYS.map(day => (
          <ToggleChip key={day} chosen={calendar.days.includes(day)} onClick={() => toggle(day)}>
            {weekday(day)}
          </ToggleChip>
        ))}
      </fieldset>
      <div className="flex flex-wrap gap-3">
        <LabeledField label={t`Start time`} className="w-24">
          {attributes => (
            <Input
              {...attributes}
              inputMode="numeric"
              placeholder="09:00"
              value={calendar.from}
              onChange={event => onChange({ ...calendar, from: event.target.value })}
            />
          )}
        </LabeledField>
        <LabeledField label={t`End time`} className="w-24">
          {attributes => (
            <Input
              {...attributes}
              inputMode="numeric"
              placeholder="17:00"
              value={calendar.until}
              onChange={event => onChange({ ...calendar, until: event.target.value })}
            />
          )}
        </LabeledField>
        <LabeledField label={t`Time zone`} className="min-w-48 flex-1">
          {attributes => (
            <TimeZoneSelect
              attributes={attributes}
              value={calendar.timeZone}
              onChange={timeZone => timeZone && onChange({ ...calendar, timeZone })}
            />
          )}
        </LabeledField>
      </div>
      <ErrorText>{error}</ErrorText>
    </div>
  )
}

import { useQuery } from '@tanstack/react-query'
import { Plus, Trash2, X } from 'lucide-react'
import { useState } from 'react'
import { groupsQuery } from '@/api/settings/groups'
import { peopleQuery } from '@/api/settings/people'
import { Button, IconButton } from '@/components/button'
import { Input, Labelled, NativeSelect } from '@/components/input'
import { Switch } from '@/components/switch'
import { classes } from '@/lib/classes'
import { UNITS, type Unit, unitOf } from '@/lib/durations'
import type { TimeLimitCalendar, TimeLimitStep, TimeLimits } from '../document/types'
import { useEditor } from '../editor/editor-context'
import type { Issue } from '../editor/issues'

const MOST_STEPS = 5
const ACTIONS: Record<TimeLimitStep['action'], string> = {
  remind: 'remind those who are asked',
  handOver: 'ask others instead',
  reject: 'reject it',
  approve: 'approve it as suggested',
}
const isLast = ({ action }: TimeLimitStep) => action === 'reject' || action === 'approve'

/** What happens to a review that nobody decides: nothing, or up to five steps, one after the other. */
export function TimeLimitsEditor() {
  const { document, apply, checked } = useEditor()
  const limits = document.timeLimits
  const set = (timeLimits: TimeLimits | null) => apply(before => ({ ...before, timeLimits }), 'timeLimits')
  const faults = (path: string) => faultsAt(checked.issues, path)
  return (
    <div className="flex flex-col gap-4">
      <Switch
        checked={limits !== null}
        onChange={on => set(on ? FIRST : null)}
        label="Do something when nobody decides in time"
        help={
          document.trigger || document.autoApprove
            ? 'Has no effect here: no review of this type waits for people.'
            : 'Counted from when the content came. It pauses while a review waits for the agent.'
        }
      />
      {limits && (
        <>
          <ol className="flex flex-col gap-3">
            {limits.steps.map((step, index) => (
              <Step
                // biome-ignore lint/suspicious/noArrayIndexKey: steps have no identity but their place.
                key={`${index}/${limits.steps.length}`}
                number={index + 1}
                step={step}
                faults={faults(`timeLimits.steps[${index}]`)}
                onChange={changed => set({ ...limits, steps: limits.steps.with(index, changed) })}
                {...(limits.steps.length > 1 && {
                  onRemove: () => set({ ...limits, steps: limits.steps.toSpliced(index, 1) }),
                })}
              />
            ))}
          </ol>
          {limits.steps.length < MOST_STEPS && !limits.steps.some(isLast) && (
            <Button
              size="small"
              icon={<Plus size={14} />}
              className="self-start max-md:h-11"
              onClick={() => set({ ...limits, steps: [...limits.steps, after(limits.steps.at(-1))] })}
            >
              Add a step
            </Button>
          )}
          <Switch
            checked={limits.calendar !== null}
            onChange={on => set({ ...limits, calendar: on ? office() : null })}
            label="Count working hours only"
            help="Otherwise time counts around the clock."
          />
          {limits.calendar && (
            <Calendar
              calendar={limits.calendar}
              faults={faults('timeLimits.calendar')}
              onChange={calendar => set({ ...limits, calendar })}
            />
          )}
        </>
      )}
    </div>
  )
}

const FIRST: TimeLimits = { calendar: null, steps: [{ afterMinutes: 1_440, action: 'remind', to: null }] }

const after = (step?: TimeLimitStep): TimeLimitStep => ({
  afterMinutes: (step?.afterMinutes ?? 0) + 1_440,
  action: 'remind',
  to: null,
})

const office = (): TimeLimitCalendar => ({
  timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone,
  days: [1, 2, 3, 4, 5],
  from: '09:00',
  until: '17:00',
})

function faultsAt(issues: readonly Issue[], path: string): string | null {
  const found = issues.filter(
    issue => issue.severity === 'error' && issue.path.replace(/^form\./, '').startsWith(path),
  )
  return found.length > 0 ? found.map(issue => issue.message).join(' ') : null
}

function Fault({ children }: { children: string | null }) {
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
  faults,
  onChange,
  onRemove,
}: {
  number: number
  step: TimeLimitStep
  faults: string | null
  onChange: (step: TimeLimitStep) => void
  onRemove?: () => void
}) {
  const [unit, setUnit] = useState(() => unitOf(step.afterMinutes))
  const act = (action: TimeLimitStep['action']) =>
    onChange({ ...step, action, to: action === 'handOver' ? (step.to ?? { users: [], groups: [] }) : null })
  return (
    <li className="flex flex-col gap-2 rounded-lg border border-line bg-surface p-3">
      <div className="flex flex-wrap items-center gap-2">
        <span className="text-muted text-sm">After</span>
        <Input
          aria-label={`Step ${number}: after how long`}
          type="number"
          inputMode="numeric"
          min={1}
          step={1}
          value={step.afterMinutes > 0 ? step.afterMinutes / UNITS[unit] : ''}
          onChange={event => onChange({ ...step, afterMinutes: Number(event.target.value) * UNITS[unit] })}
          className="w-20!"
          aria-invalid={faults !== null || undefined}
        />
        <NativeSelect
          aria-label={`Step ${number}: unit`}
          value={unit}
          onChange={event => {
            const chosen = event.target.value as Unit
            setUnit(chosen)
            onChange({ ...step, afterMinutes: (step.afterMinutes / UNITS[unit]) * UNITS[chosen] })
          }}
          className="w-auto!"
        >
          {Object.keys(UNITS).map(each => (
            <option key={each}>{each}</option>
          ))}
        </NativeSelect>
        <NativeSelect
          aria-label={`Step ${number}: what to do`}
          value={step.action}
          onChange={event => act(event.target.value as TimeLimitStep['action'])}
          className="w-auto! min-w-0"
        >
          {Object.entries(ACTIONS).map(([action, label]) => (
            <option key={action} value={action}>
              {label}
            </option>
          ))}
        </NativeSelect>
        {onRemove && (
          <IconButton
            label={`Remove step ${number}`}
            icon={<Trash2 size={15} />}
            onClick={onRemove}
            className="ml-auto max-md:size-11"
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
      <Fault>{faults}</Fault>
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
          className="flex items-center gap-1 rounded-md border border-line py-0.5 pr-0.5 pl-2 text-sm"
        >
          {name}
          <button
            type="button"
            aria-label={`Step ${number}: remove ${name}`}
            onClick={() => remove(id)}
            className="grid size-6 place-items-center rounded text-muted hover:bg-sunken max-md:size-11"
          >
            <X size={13} aria-hidden="true" />
          </button>
        </span>
      ))}
      <NativeSelect
        aria-label={`Step ${number}: ask`}
        value=""
        onChange={event => add(event.target.value)}
        className="w-auto! min-w-0"
      >
        <option value="">Ask …</option>
        <optgroup label="Groups">
          {groups
            .filter(({ groupId }) => !to.groups.includes(groupId))
            .map(({ groupId, name }) => (
              <option key={groupId} value={groupId}>
                {name}
              </option>
            ))}
        </optgroup>
        <optgroup label="People">
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

const DAYS = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun']

function Calendar({
  calendar,
  faults,
  onChange,
}: {
  calendar: TimeLimitCalendar
  faults: string | null
  onChange: (calendar: TimeLimitCalendar) => void
}) {
  const zones = Intl.supportedValuesOf('timeZone')
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
        <legend className="sr-only">Working days</legend>
        {DAYS.map((name, index) => {
          const isChosen = calendar.days.includes(index + 1)
          return (
            <button
              key={name}
              type="button"
              aria-pressed={isChosen}
              onClick={() => toggle(index + 1)}
              className={classes(
                'h-7 min-w-11 rounded-md border px-1.5 text-sm max-md:h-11',
                isChosen
                  ? 'border-accent bg-accent-soft font-medium text-accent'
                  : 'border-line text-muted hover:bg-sunken',
              )}
            >
              {name}
            </button>
          )
        })}
      </fieldset>
      <div className="flex flex-wrap gap-3">
        <Labelled label="From" className="w-24">
          {ties => (
            <Input
              {...ties}
              inputMode="numeric"
              placeholder="09:00"
              value={calendar.from}
              onChange={event => onChange({ ...calendar, from: event.target.value })}
            />
          )}
        </Labelled>
        <Labelled label="Until" className="w-24">
          {ties => (
            <Input
              {...ties}
              inputMode="numeric"
              placeholder="17:00"
              value={calendar.until}
              onChange={event => onChange({ ...calendar, until: event.target.value })}
            />
          )}
        </Labelled>
        <Labelled label="Time zone" className="min-w-48 flex-1">
          {ties => (
            <NativeSelect
              {...ties}
              value={calendar.timeZone}
              onChange={event => onChange({ ...calendar, timeZone: event.target.value })}
            >
              {!zones.includes(calendar.timeZone) && <option>{calendar.timeZone}</option>}
              {zones.map(zone => (
                <option key={zone}>{zone}</option>
              ))}
            </NativeSelect>
          )}
        </Labelled>
      </div>
      <Fault>{faults}</Fault>
    </div>
  )
}

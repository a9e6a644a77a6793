import { plural, t } from '@lingui/core/macro'
import { type KeyboardEvent, type PointerEvent, useState } from 'react'
import type { Insights } from '@/api/insights'
import { Segments } from '@/components/segments'
import { formatHour, formatWeekday } from '../dates'
import { formatCount } from '../format'
import { getHoursSentence } from '../sentences'
import { Card } from './card'
import { Readout } from './readout'
import { useWidth } from './use-width'

type Kind = 'decisions' | 'requests'

const getKindLabel = (kind: Kind) => (kind === 'decisions' ? t`Decisions` : t`Requests`)

/** Monday is 0. */
const WEEKDAYS = [0, 1, 2, 3, 4, 5, 6]

export function HeatMap({ insights, className }: { insights: Insights; className?: string }) {
  const [kind, setKind] = useState<Kind>('decisions')
  const hours = kind === 'decisions' ? insights.hours : insights.requestedHours
  const nothing = [...insights.hours, ...insights.requestedHours].flat().every(number => number === 0)
  const summary = getHoursSentence(hours, kind)
  const timeZone = insights.timeZone.replaceAll('_', ' ')
  const title = t`Busiest hours`
  const kinds = (['decisions', 'requests'] as const).map(id => ({ id, label: getKindLabel(id) }))
  return (
    <Card
      title={title}
      sentence={t`${summary} Times are in ${timeZone}.`}
      empty={nothing && t`No requests or decisions in this period.`}
      className={className}
      controls={<Segments label={t`${title}: view`} value={kind} onChange={setKind} options={kinds} />}
      table={{
        columns: [
          { label: t`Weekday` },
          ...Array.from({ length: 24 }, (_, hour) => ({ label: formatHour(hour) })),
        ],
        rows: hours.map((row, day) => [formatWeekday(day, 'long'), ...row]),
      }}
    >
      {label => <Cells hours={hours} kind={kind} label={label} />}
    </Card>
  )
}

const GUTTER = 36
const ROW = 24
const GAP = 2
const HEAD = 18
const HEIGHT = HEAD + 7 * ROW
const LAST = 7 * 24 - 1

/** Strength grows with the square root, so that quiet hours differ from empty ones next to a busy one. */
const getOpacity = (value: number, most: number) => (value === 0 ? 0 : 0.14 + 0.86 * Math.sqrt(value / most))

function Cells({ hours, kind, label }: { hours: number[][]; kind: Kind; label: string }) {
  const [measure, width] = useWidth()
  const [at, move] = useState<number | null>(null)
  const most = Math.max(...hours.flat())
  const column = Math.max(1, ((width ?? 0) - GUTTER) / 24)
  const getCount = (place: number) => hours[Math.floor(place / 24)]?.[place % 24] ?? 0
  const name = (place: number) => {
    const hour = place % 24
    const weekday = formatWeekday(Math.floor(place / 24), 'long')
    const [start, end] = [formatHour(hour), formatHour(hour + 1)]
    return t`${weekday}, ${start} – ${end}`
  }
  const describeSlot = (place: number) => {
    const slot = name(place)
    const number = getCount(place)
    return kind === 'decisions'
      ? t`${slot}: ${plural(number, { one: '# decision', other: '# decisions' })}`
      : t`${slot}: ${plural(number, { one: '# request', other: '# requests' })}`
  }

  const moveToPointer = (event: PointerEvent<HTMLElement>) => {
    const box = event.currentTarget.getBoundingClientRect()
    const hour = Math.floor((event.clientX - box.left - GUTTER) / column)
    const day = Math.floor((event.clientY - box.top - HEAD) / ROW)
    move(hour >= 0 && hour < 24 && day >= 0 && day < 7 ? day * 24 + hour : null)
  }
  const chosen = at ?? 0
  const moveByDay = (event: KeyboardEvent) => {
    const days = { ArrowUp: -24, ArrowDown: 24 }[event.key]
    if (days === undefined) return
    event.preventDefault()
    const next = chosen + days
    if (next >= 0 && next <= LAST) move(next)
  }

  return (
    <>
      <div
        ref={measure}
        // Hours run from left to right in every language.
        dir="ltr"
        style={{ height: HEIGHT }}
        onPointerMove={moveToPointer}
        onPointerDown={moveToPointer}
        onPointerLeave={() => move(null)}
        onPointerCancel={() => move(null)}
        className="relative touch-pan-y select-none rounded-sm has-[:focus-visible]:outline-2 has-[:focus-visible]:outline-accent has-[:focus-visible]:outline-offset-4"
      >
        {width !== null && width > 0 && (
          <svg role="img" aria-label={label} width={width} height={HEIGHT} className="block">
            {[0, 6, 12, 18].map(hour => (
              <text key={hour} x={GUTTER + hour * column} y={12} className="fill-muted text-xs">
                {formatHour(hour)}
              </text>
            ))}
            {WEEKDAYS.map(day => (
              <text key={day} x={0} y={HEAD + day * ROW + 16} className="fill-muted text-xs">
                {formatWeekday(day, 'short')}
              </text>
            ))}
            {hours.map((row, day) =>
              row.map((value, hour) => {
                const place = day * 24 + hour
                return (
                  <rect
                    key={place}
                    x={GUTTER + hour * column}
                    y={HEAD + day * ROW}
                    width={Math.max(1, column - GAP)}
                    height={ROW - GAP}
                    rx={2}
                    fill={value === 0 ? 'var(--grid)' : 'var(--heat)'}
                    fillOpacity={value === 0 ? 1 : getOpacity(value, most)}
                    stroke={place === at ? 'var(--ink)' : 'none'}
                    strokeWidth={2}
                  />
                )
              }),
            )}
          </svg>
        )}
        <input
          type="range"
          min={0}
          max={LAST}
          step={1}
          value={chosen}
          aria-label={t`Busiest hours. The left and right arrow keys change the hour, and the up and down arrow keys change the day.`}
          aria-valuetext={describeSlot(chosen)}
          onChange={event => move(Number(event.target.value))}
          onKeyDown={moveByDay}
          onFocus={() => move(chosen)}
          onBlur={() => move(null)}
          className="pointer-events-none absolute inset-0 size-full opacity-0"
        />
        {at !== null && width !== null && (
          <Readout
            name={name(at)}
            readings={[{ label: getKindLabel(kind), value: formatCount(getCount(at)) }]}
            x={GUTTER + (at % 24) * column + column / 2}
            y={HEAD + Math.floor(at / 24) * ROW}
            width={width}
          />
        )}
      </div>
      <p aria-hidden="true" className="mt-2 flex items-center gap-1.5 text-muted text-xs">
        {formatCount(0)}
        {[0, 0.04, 0.2, 0.5, 1].map(part => (
          <span
            key={part}
            style={
              part === 0
                ? { background: 'var(--grid)' }
                : { background: 'var(--heat)', opacity: getOpacity(part, 1) }
            }
            className="size-3 rounded-[2px]"
          />
        ))}
        {formatCount(most)}
      </p>
    </>
  )
}

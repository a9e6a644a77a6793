import { type KeyboardEvent, type PointerEvent, useState } from 'react'
import type { Insights } from '@/api/insights'
import { clock, hoursSentence, WEEKDAYS } from '../sentences'
import { count, counted } from '../words'
import { Card } from './card'
import { Readout } from './readout'
import { Segments } from './segments'
import { useWidth } from './use-width'

const KINDS = [
  { id: 'decisions', label: 'Decisions' },
  { id: 'requests', label: 'Requests' },
] as const

type Kind = (typeof KINDS)[number]['id']

export function HeatMap({ insights, className }: { insights: Insights; className?: string }) {
  const [kind, setKind] = useState<Kind>('decisions')
  const hours = kind === 'decisions' ? insights.hours : insights.requestedHours
  const nothing = [...insights.hours, ...insights.requestedHours].flat().every(number => number === 0)
  return (
    <Card
      title="Busiest hours"
      sentence={`${hoursSentence(hours, kind)} Hours are those of ${insights.timeZone.replaceAll('_', ' ')}.`}
      empty={nothing && 'Nothing was requested or decided in this period.'}
      className={className}
      controls={<Segments label="Busiest hours: count" value={kind} onChange={setKind} options={KINDS} />}
      table={{
        columns: [{ label: 'Weekday' }, ...Array.from({ length: 24 }, (_, hour) => ({ label: clock(hour) }))],
        rows: hours.map((row, day) => [WEEKDAYS[day] ?? '', ...row]),
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

/** Strength grows with the root, so that quiet hours are told from silent ones beside a busy one. */
const strength = (value: number, most: number) => (value === 0 ? 0 : 0.14 + 0.86 * Math.sqrt(value / most))

function Cells({ hours, kind, label }: { hours: number[][]; kind: Kind; label: string }) {
  const [measure, width] = useWidth()
  const [at, move] = useState<number | null>(null)
  const most = Math.max(...hours.flat())
  const column = Math.max(1, ((width ?? 0) - GUTTER) / 24)
  const amountAt = (place: number) => hours[Math.floor(place / 24)]?.[place % 24] ?? 0
  const name = (place: number) => {
    const hour = place % 24
    return `${WEEKDAYS[Math.floor(place / 24)]}, ${clock(hour)} – ${clock((hour + 1) % 24)}`
  }

  const point = (event: PointerEvent<HTMLElement>) => {
    const box = event.currentTarget.getBoundingClientRect()
    const hour = Math.floor((event.clientX - box.left - GUTTER) / column)
    const day = Math.floor((event.clientY - box.top - HEAD) / ROW)
    move(hour >= 0 && hour < 24 && day >= 0 && day < 7 ? day * 24 + hour : null)
  }
  const chosen = at ?? 0
  const byDay = (event: KeyboardEvent) => {
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
        style={{ height: HEIGHT }}
        onPointerMove={point}
        onPointerDown={point}
        onPointerLeave={() => move(null)}
        onPointerCancel={() => move(null)}
        className="relative touch-pan-y select-none rounded-sm has-[:focus-visible]:outline-2 has-[:focus-visible]:outline-accent has-[:focus-visible]:outline-offset-4"
      >
        {width !== null && width > 0 && (
          <svg role="img" aria-label={label} width={width} height={HEIGHT} className="block">
            {[0, 6, 12, 18].map(hour => (
              <text key={hour} x={GUTTER + hour * column} y={12} className="fill-muted text-xs">
                {clock(hour)}
              </text>
            ))}
            {WEEKDAYS.map((day, row) => (
              <text key={day} x={0} y={HEAD + row * ROW + 16} className="fill-muted text-xs">
                {day.slice(0, 3)}
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
                    fillOpacity={value === 0 ? 1 : strength(value, most)}
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
          aria-label="Values of the busiest hours; up and down go by days"
          aria-valuetext={`${name(chosen)}: ${counted(amountAt(chosen), kind.slice(0, -1))}`}
          onChange={event => move(Number(event.target.value))}
          onKeyDown={byDay}
          onFocus={() => move(chosen)}
          onBlur={() => move(null)}
          className="pointer-events-none absolute inset-0 size-full opacity-0"
        />
        {at !== null && width !== null && (
          <Readout
            name={name(at)}
            readings={[
              { label: kind === 'decisions' ? 'Decisions' : 'Requests', value: count(amountAt(at)) },
            ]}
            x={GUTTER + (at % 24) * column + column / 2}
            y={HEAD + Math.floor(at / 24) * ROW}
            width={width}
          />
        )}
      </div>
      <p aria-hidden="true" className="mt-2 flex items-center gap-1.5 text-muted text-xs">
        None
        {[0, 0.04, 0.2, 0.5, 1].map(part => (
          <span
            key={part}
            style={
              part === 0
                ? { background: 'var(--grid)' }
                : { background: 'var(--heat)', opacity: strength(part, 1) }
            }
            className="size-3 rounded-[2px]"
          />
        ))}
        up to {count(most)}
      </p>
    </>
  )
}

import { t } from '@lingui/core/macro'
import { type PointerEvent, type ReactNode, useState } from 'react'
import type { Scale } from '../scales'
import { type Axis, buildTimeTicks, type Slot } from '../slots'
import { useCursor } from './cursor'
import { type Reading, Readout, toSpokenText } from './readout'
import { useWidth } from './use-width'

export type Geometry = {
  /** The start of a step, its width, and its middle. */
  left: (place: number) => number
  band: number
  middle: (place: number) => number
  /** The y position of a value; `foot` is that of zero. */
  y: (value: number) => number
  foot: number
}

type TimePlotProps = {
  axis: Axis
  scale: Scale
  /** What the values are about, for members who step through them. */
  name: string
  /** What the chart shows, in a sentence. */
  label: string
  readings: (place: number) => readonly Reading[]
  children: (geometry: Geometry) => ReactNode
  height?: number
  /** Shares its cursor with the other charts of the page. */
  shared?: boolean
  /** A small chart has no room for values next to the cursor. */
  ticksApart?: number
}

const TOP = 10
const FOOT = 22

/**
 * The frame of a chart over time: grid lines, dates, and a cursor that shows exact values by mouse, touch and keyboard.
 */
export function TimePlot({
  axis,
  scale,
  name,
  label,
  readings,
  children,
  height = 220,
  shared = false,
  ticksApart = 64,
}: TimePlotProps) {
  const [measure, width] = useWidth()
  const [cursor, move] = useCursor(shared)
  const [pointing, setPointing] = useState(false)
  const { slots } = axis
  const gutter = 12 + 7 * Math.max(...scale.ticks.map(tick => tick.label.length))
  const inner = Math.max(1, (width ?? 0) - gutter)
  const foot = height - FOOT
  const band = inner / slots.length
  const y = (value: number) => foot - scale.place(value) * (foot - TOP)
  const left = (place: number) => gutter + place * band
  const middle = (place: number) => left(place) + band / 2
  const last = slots.length - 1
  const at = cursor !== null && cursor <= last ? cursor : null

  const point = (event: PointerEvent<HTMLElement>) => {
    const x = event.clientX - event.currentTarget.getBoundingClientRect().left - gutter
    setPointing(true)
    move(Math.min(last, Math.max(0, Math.floor(x / band))))
  }
  const leave = () => {
    setPointing(false)
    move(null)
  }

  const slot = at === null ? undefined : slots[at]
  const chosen = at ?? last
  return (
    <div
      ref={measure}
      // Time runs from left to right in every language.
      dir="ltr"
      style={{ height }}
      onPointerMove={point}
      onPointerDown={point}
      onPointerLeave={leave}
      onPointerCancel={leave}
      className="relative touch-pan-y select-none rounded-sm has-[:focus-visible]:outline-2 has-[:focus-visible]:outline-accent has-[:focus-visible]:outline-offset-4"
    >
      {width !== null && width > 0 && (
        <svg role="img" aria-label={label} width={width} height={height} className="block">
          {scale.ticks.map(tick => (
            <g key={tick.value}>
              <line
                x1={gutter}
                x2={width}
                y1={crisp(y(tick.value))}
                y2={crisp(y(tick.value))}
                stroke={tick === scale.ticks[0] ? 'var(--line-strong)' : 'var(--grid)'}
              />
              <text x={gutter - 8} y={y(tick.value) + 4} textAnchor="end" className="fill-muted text-xs">
                {tick.label}
              </text>
            </g>
          ))}
          {buildTimeTicks(axis, Math.floor(inner / ticksApart)).map(tick => (
            <text
              key={tick.place}
              x={clamp(middle(tick.place), gutter + 20, width - 22)}
              y={height - 5}
              textAnchor="middle"
              className="fill-muted text-xs"
            >
              {tick.label}
            </text>
          ))}
          {at !== null && (
            <rect
              x={left(at)}
              y={TOP}
              width={band}
              height={foot - TOP}
              fill="var(--accent)"
              fillOpacity={0.1}
            />
          )}
          {children({ left, band, middle, y, foot })}
        </svg>
      )}
      <input
        type="range"
        min={0}
        max={last}
        step={1}
        value={chosen}
        aria-label={t`${name}: values`}
        aria-valuetext={toSpokenText(slots[chosen]?.name ?? '', readings(chosen))}
        onChange={event => move(Number(event.target.value))}
        onFocus={() => {
          setPointing(true)
          move(chosen)
        }}
        onBlur={leave}
        className="pointer-events-none absolute inset-0 size-full opacity-0"
      />
      {pointing && at !== null && slot !== undefined && width !== null && (
        <Readout
          name={slot.name}
          note={noteOf(slot.state)}
          readings={slot.state === 'future' ? [] : readings(at)}
          x={middle(at)}
          width={width}
        />
      )}
    </div>
  )
}

function noteOf(state: Slot['state']): string | undefined {
  switch (state) {
    case 'part':
      return t({ message: 'incomplete', comment: 'After a date: the period is not over yet' })
    case 'future':
      return t({ message: 'upcoming', comment: 'After a date: the period has not started' })
    case 'whole':
      return undefined
  }
}

/** A hairline between two rows of pixels would be gray and wide. */
const crisp = (y: number) => Math.round(y) + 0.5

const clamp = (value: number, least: number, most: number) => Math.min(most, Math.max(least, value))

import { scaleLinear, scaleLog } from 'd3-scale'
import { formatNumber, formatPercent, formatUnit } from '@/lib/i18n'

export type Tick = { value: number; label: string }

/** Maps a value to its position, 0 at the bottom and 1 at the top; and where the grid lines are. */
export type Scale = { place: (value: number) => number; ticks: readonly Tick[] }

const compact = (value: number) => formatNumber(value, { notation: 'compact', maximumFractionDigits: 1 })

/** Counts start at zero and have no fractions. */
export function countScale(most: number, lines = 4): Scale {
  const scale = scaleLinear()
    .domain([0, Math.max(1, most)])
    .nice(lines)
  const top = Math.ceil(scale.domain()[1] ?? 1)
  scale.domain([0, top])
  const ticks = scale.ticks(lines).filter(Number.isInteger)
  return { place: scale, ticks: ticks.map(value => ({ value, label: compact(value) })) }
}

/** Rates always use the full scale, so that two charts can be compared at a glance. */
export const rateScale = (): Scale => ({
  place: value => value,
  ticks: [0, 0.5, 1].map(value => ({ value, label: formatPercent(value) })),
})

const MINUTE = 60
const HOUR = 3_600
const DAY = 86_400
const YEAR = 366 * DAY
/** Familiar durations, from short to long. */
const DURATION_STEPS = (
  [
    [1, 'second', 1],
    [10, 'second', 1],
    [1, 'minute', MINUTE],
    [5, 'minute', MINUTE],
    [15, 'minute', MINUTE],
    [1, 'hour', HOUR],
    [4, 'hour', HOUR],
    [1, 'day', DAY],
    [4, 'day', DAY],
    [14, 'day', DAY],
    [60, 'day', DAY],
    [1, 'year', YEAR],
    [10, 'year', YEAR],
  ] as const
).map(([amount, unit, size]) => ({ amount, unit, value: amount * size }))

/** Minutes and days on one logarithmic axis, with familiar durations as labels. */
export function durationScale(seconds: readonly number[]): Scale {
  const least = Math.max(1, Math.min(...seconds))
  const most = Math.max(least, ...seconds)
  const under = DURATION_STEPS.findLastIndex(tick => tick.value <= least)
  const from = Math.min(Math.max(0, under), DURATION_STEPS.length - 2)
  const found = DURATION_STEPS.findIndex(tick => tick.value >= most)
  const to = Math.max(from + 1, found < 0 ? DURATION_STEPS.length - 1 : found)
  const ticks = DURATION_STEPS.slice(from, to + 1).map(({ amount, unit, value }) => ({
    value,
    label: formatUnit(amount, unit),
  }))
  const scale = scaleLog()
    .domain([ticks[0]?.value ?? 1, ticks.at(-1)?.value ?? DAY])
    .clamp(true)
  return { place: value => scale(Math.max(1, value)), ticks }
}

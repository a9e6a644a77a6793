import { scaleLinear, scaleLog } from 'd3-scale'

export type Tick = { value: number; label: string }

/** From a value to its place, 0 at the foot and 1 at the top; and where the lines are. */
export type Scale = { place: (value: number) => number; ticks: readonly Tick[] }

const grouped = new Intl.NumberFormat('en', { notation: 'compact', maximumFractionDigits: 1 })

/** Counts begin at zero and have no halves. */
export function countScale(most: number, lines = 4): Scale {
  const scale = scaleLinear()
    .domain([0, Math.max(1, most)])
    .nice(lines)
  const top = Math.ceil(scale.domain()[1] ?? 1)
  scale.domain([0, top])
  const ticks = scale.ticks(lines).filter(Number.isInteger)
  return { place: scale, ticks: ticks.map(value => ({ value, label: grouped.format(value) })) }
}

/** Rates are always drawn against the whole, so that two charts can be compared at a glance. */
export const rateScale: Scale = {
  place: value => value,
  ticks: [0, 0.5, 1].map(value => ({ value, label: `${value * 100}%` })),
}

const MINUTE = 60
const HOUR = 3_600
const DAY = 86_400
const LADDER: readonly Tick[] = [
  { value: 1, label: '1 s' },
  { value: 10, label: '10 s' },
  { value: MINUTE, label: '1 min' },
  { value: 5 * MINUTE, label: '5 min' },
  { value: 15 * MINUTE, label: '15 min' },
  { value: HOUR, label: '1 h' },
  { value: 4 * HOUR, label: '4 h' },
  { value: DAY, label: '1 d' },
  { value: 4 * DAY, label: '4 d' },
  { value: 14 * DAY, label: '14 d' },
  { value: 60 * DAY, label: '60 d' },
  { value: 366 * DAY, label: '1 y' },
  { value: 3_660 * DAY, label: '10 y' },
]

/** Minutes and days on one axis: each step is several times the one below, and is named as people would name it. */
export function durationScale(seconds: readonly number[]): Scale {
  const least = Math.max(1, Math.min(...seconds))
  const most = Math.max(least, ...seconds)
  const under = LADDER.findLastIndex(tick => tick.value <= least)
  const from = Math.min(Math.max(0, under), LADDER.length - 2)
  const found = LADDER.findIndex(tick => tick.value >= most)
  const to = Math.max(from + 1, found < 0 ? LADDER.length - 1 : found)
  const ticks = LADDER.slice(from, to + 1)
  const scale = scaleLog()
    .domain([ticks[0]?.value ?? 1, ticks.at(-1)?.value ?? DAY])
    .clamp(true)
  return { place: value => scale(Math.max(1, value)), ticks }
}

/** The steps of the time axis: their names, and whether they are complete. */

import type { Insights } from '@/api/insights'
import { addDays, countDays } from './calendar'
import { format, formatDays, getDay, getHour, getHourOptions, getWeekday } from './dates'

export type Bucket = Insights['bucket']

export type Slot = {
  start: Date
  /** The last day of the step. */
  last: string
  /** `Tue, Nov 3`, `Tue, Nov 3, 2 PM`, `Nov 2 – 8`. */
  name: string
  /**
   * `part`: still in progress, or a week that the period cuts. `future`: hasn't started, so no data doesn't mean zero.
   */
  state: 'whole' | 'part' | 'future'
}

export type Axis = { slots: readonly Slot[]; bucket: Bucket; zone: string }

type RequestedPeriod = Pick<Insights, 'bucket' | 'timeZone' | 'to'> & { series: readonly { start: string }[] }

const HOUR = 3_600_000
const DAY_OF_MONTH = { weekday: 'short', day: 'numeric', month: 'short' } as const
const SHORT = { day: 'numeric', month: 'short' } as const

export function buildAxis({ bucket, timeZone: zone, to, series }: RequestedPeriod, now: Date): Axis {
  const starts = series.map(point => new Date(point.start))
  const today = getDay(zone, now)
  const slots = starts.map((start, place): Slot => {
    const next = starts[place + 1]
    const first = getDay(zone, start)
    const last = next ? addDays(getDay(zone, next), bucket === 'hour' ? 0 : -1) : to
    const goesOn = start <= now && (next ? now < next : today <= to)
    const cut = bucket === 'week' && countDays(first, last) < 7
    const state = start > now ? 'future' : goesOn || cut ? 'part' : 'whole'
    return { start, last, name: getSlotName(bucket, zone, start, last), state }
  })
  return { slots, bucket, zone }
}

function getSlotName(bucket: Bucket, zone: string, start: Date, last: string): string {
  if (bucket === 'hour') return format(zone, { ...DAY_OF_MONTH, ...getHourOptions() }).format(start)
  return bucket === 'day'
    ? format(zone, DAY_OF_MONTH).format(start)
    : formatDays(getDay(zone, start), last, SHORT)
}

/** The name for several neighboring steps together. */
export function getRangeName({ bucket, zone }: Axis, first: Slot, last: Slot): string {
  if (first === last) return first.name
  if (bucket === 'hour')
    return format(zone, { ...DAY_OF_MONTH, ...getHourOptions() }).formatRange(
      first.start,
      new Date(last.start.getTime() + HOUR),
    )
  return formatDays(getDay(zone, first.start), last.last, SHORT)
}

export type TimeTick = { place: number; label: string }

type Level = { keep: (start: Date, place: number) => boolean; label: (start: Date) => string }

function getLevels({ bucket, zone }: Axis): Level[] {
  const formatPart = (start: Date, options: Intl.DateTimeFormatOptions) => format(zone, options).format(start)
  const hour = (start: Date) => getHour(zone, start)
  const date = (start: Date) => Number(getDay(zone, start).slice(8))
  const isMonday = (start: Date) => getWeekday(getDay(zone, start)) === 1
  const formatShort = (start: Date) => formatPart(start, SHORT)
  const formatClock = (start: Date) =>
    hour(start) === 0 ? formatShort(start) : formatPart(start, getHourOptions())
  if (bucket === 'hour')
    return [3, 6, 12, 24].map(step => ({ keep: start => hour(start) % step === 0, label: formatClock }))
  if (bucket === 'day')
    return [
      { keep: () => true, label: start => formatPart(start, { weekday: 'short', day: 'numeric' }) },
      { keep: isMonday, label: formatShort },
      { keep: start => date(start) === 1 || date(start) === 15, label: formatShort },
      { keep: start => date(start) === 1, label: formatShort },
    ]
  const month = (start: Date) => formatPart(start, { month: 'short' })
  const isFirstWeek = (start: Date) => date(start) <= 7
  const isQuarterStart = (start: Date) => [1, 4, 7, 10].includes(Number(getDay(zone, start).slice(5, 7)))
  return [
    { keep: () => true, label: formatShort },
    { keep: isFirstWeek, label: month },
    { keep: start => isFirstWeek(start) && isQuarterStart(start), label: month },
  ]
}

/** An axis with a single label says little. */
const MIN_TICKS = 3

/** The labeled steps of the axis: as many as have room, at familiar places (Mondays, first of the month, midnight). */
export function buildTimeTicks(axis: Axis, room: number): TimeTick[] {
  let fewest: TimeTick[] = []
  for (const { keep, label } of getLevels(axis)) {
    const ticks = axis.slots.flatMap(({ start }, place) =>
      keep(start, place) ? [{ place, label: label(start) }] : [],
    )
    if (ticks.length > 0) fewest = ticks
    if (ticks.length <= room) break
  }
  if (fewest.length <= room && fewest.length >= Math.min(MIN_TICKS, room) && isEven(fewest)) return fewest
  // If there are too few familiar places, or none fit, label even distances.
  const step = Math.ceil(axis.slots.length / Math.max(1, room))
  return axis.slots.flatMap(({ start }, place) =>
    place % step === 0 ? [{ place, label: getLevels(axis).at(1)?.label(start) ?? '' }] : [],
  )
}

/** Months have four or five weeks; with greater differences, labels would mislead about what lies between them. */
function isEven(ticks: readonly TimeTick[]): boolean {
  const gaps = ticks.slice(1).map((tick, place) => tick.place - (ticks[place]?.place ?? 0))
  return gaps.length === 0 || Math.max(...gaps) <= 2 * Math.min(...gaps)
}

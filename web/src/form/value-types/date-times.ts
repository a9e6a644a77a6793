/** Dates and times: ISO 8601 as the server takes it, compared as times and not as texts. */

import { isBlank } from '../characters'
import type { FieldOf } from '../types'
import { INVALID, type ValueType, wrongType } from './value-type'

const DATE = /^(\d{4})-(\d{2})-(\d{2})$/
const DATETIME =
  /^(\d{4}-\d{2}-\d{2})T([01]\d|2[0-3]):([0-5]\d)(?::([0-5]\d)(?:\.(\d{1,9}))?)?(Z|[+-](?:[01]\d|2[0-3]):[0-5]\d)?$/

export type DateTime = {
  /** Since 1970 in UTC, whole seconds only. */
  milliseconds: number
  microseconds: number
}

function midnight(text: string): number | null {
  const match = DATE.exec(text)
  if (!match) return null
  const [year, month, day] = [Number(match[1]), Number(match[2]), Number(match[3])]
  const date = new Date(0)
  // `Date.UTC` maps years below 100 to the 20th century.
  date.setUTCFullYear(year, month - 1, day)
  const exists = year > 0 && date.getUTCMonth() === month - 1 && date.getUTCDate() === day
  return exists ? date.getTime() : null
}

export function toDateTime(text: string): DateTime | null {
  const day = midnight(text)
  if (day !== null) return { milliseconds: day, microseconds: 0 }
  const match = DATETIME.exec(text)
  const start = match?.[1] === undefined ? null : midnight(match[1])
  if (!match || start === null) return null
  const seconds = Number(match[2]) * 3_600 + Number(match[3]) * 60 + Number(match[4] ?? 0)
  const microseconds = Number((match[5] ?? '').padEnd(6, '0').slice(0, 6))
  return { milliseconds: start + seconds * 1_000 - getOffsetMinutes(match[6]) * 60_000, microseconds }
}

/** Without an offset, a time is in UTC. */
function getOffsetMinutes(zone: string | undefined): number {
  if (zone === undefined || zone === 'Z') return 0
  const minutes = Number(zone.slice(1, 3)) * 60 + Number(zone.slice(4, 6))
  return zone.startsWith('-') ? -minutes : minutes
}

export const isDate = (text: string): boolean => midnight(text) !== null

export const isDatetime = (text: string): boolean => text.includes('T') && toDateTime(text) !== null

function compareDateTimes(left: string, right: string): number {
  const [a, b] = [toDateTime(left), toDateTime(right)]
  if (a === null || b === null) return 0
  return a.milliseconds - b.milliseconds || a.microseconds - b.microseconds
}

const dateTimes = (
  isOne: (text: string) => boolean,
  code: string,
): ValueType<FieldOf<'date' | 'datetime'>> => ({
  read(_, value, __, where, errors) {
    if (typeof value !== 'string') return wrongType(where, errors)
    if (value === '' || isOne(value)) return value
    errors.push({ path: where, code })
    return INVALID
  },
  check(field, value, _, where, errors) {
    if (typeof value !== 'string') return
    if (field.min !== undefined && compareDateTimes(value, field.min) < 0)
      errors.push({ path: where, code: 'too_small' })
    if (field.max !== undefined && compareDateTimes(value, field.max) > 0)
      errors.push({ path: where, code: 'too_large' })
  },
  isEmpty: value => typeof value !== 'string' || isBlank(value),
  cleared: () => '',
})

export const date = dateTimes(isDate, 'bad_date')
export const datetime = dateTimes(isDatetime, 'bad_datetime')

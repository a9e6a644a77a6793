/** What each chart shows, in one sentence: under its title, and for those who do not see it. */

import type { DeliveryHealth, FieldEdits, Insights, InsightsPoint } from '@/api/insights'
import type { Slot } from './slots'
import { count, counted, duration, percent, percentOf, share } from './words'

export const WEEKDAYS = [
  'Monday',
  'Tuesday',
  'Wednesday',
  'Thursday',
  'Friday',
  'Saturday',
  'Sunday',
] as const

export const clock = (hour: number): string => `${String(hour).padStart(2, '0')}:00`

const sentence = (...parts: (string | false | null)[]): string => `${parts.filter(Boolean).join(', ')}.`

function peak(numbers: readonly number[]): number | null {
  const most = Math.max(0, ...numbers)
  return most > 0 ? numbers.indexOf(most) : null
}

export function activitySentence(
  totals: Insights['totals'],
  series: readonly InsightsPoint[],
  slots: readonly Slot[],
): string {
  const busiest = peak(series.map(point => point.requested))
  return (
    sentence(
      `${counted(totals.requested, 'review')} requested`,
      `${count(totals.decided)} decided by people`,
      totals.autoApproved > 0 && `${count(totals.autoApproved)} approved automatically`,
    ) +
    (busiest === null || slots.length < 2
      ? ''
      : ` Most requests: ${slots[busiest]?.name}, ${count(series[busiest]?.requested ?? 0)}.`)
  )
}

export function timesSentence({ medianSeconds, p90Seconds }: Insights['totals']): string {
  if (medianSeconds === null || p90Seconds === null) return 'Nobody decided anything in this period.'
  return `Half of the decisions took at most ${duration(medianSeconds)}, nine of ten at most ${duration(p90Seconds)}.`
}

const OLD = 259_200

export function agesSentence({ total, ages, waiting }: Insights['open']): string {
  if (total === 0) return 'Nothing is open right now.'
  const young = ages.filter(age => age.upToSeconds !== null && age.upToSeconds <= OLD)
  const old = total - young.reduce((all, age) => all + age.count, 0)
  return sentence(
    `${counted(total, 'review')} ${total === 1 ? 'is' : 'are'} open right now`,
    old > 0 ? `${count(old)} for more than 3 days` : 'none for more than 3 days',
    waiting > 0 && `${count(waiting)} ${waiting === 1 ? 'waits' : 'wait'} for the agent`,
  )
}

export function ratesSentence({ approved, rejected, edited }: Insights['totals']): string {
  if (approved + rejected === 0) return 'Nothing was approved or rejected in this period.'
  const edits = approved > 0 && `${percentOf(edited, approved)} of the approvals came after edits`
  return sentence(`${percentOf(approved, approved + rejected)} of the decisions were approvals`, edits)
}

type Group = { name: string; decided: number; approved: number; rejected: number }

/** Fewer decisions than this make no rate that is worth a sentence. */
const ENOUGH = 5

export function outcomesSentence(groups: readonly Group[]): string {
  const [first] = groups
  if (first === undefined || first.decided === 0) return 'Nothing was decided in this period.'
  const ranked = groups
    .filter(group => group.approved + group.rejected >= ENOUGH && group.rejected > 0)
    .sort((a, b) => b.rejected / (b.approved + b.rejected) - a.rejected / (a.approved + a.rejected))
  if (groups.length === 1) return `${first.name} has ${counted(first.decided, 'decision')}.`
  const [most] = ranked
  const isTie = groups[1]?.decided === first.decided
  return (
    (isTie
      ? `At most ${counted(first.decided, 'decision')} each.`
      : `${first.name} has the most decisions: ${count(first.decided)}.`) +
    (most
      ? ` ${most.name} is rejected most often: ${percentOf(most.rejected, most.approved + most.rejected)}.`
      : '')
  )
}

/** The most edited first; those shown too rarely to have a rate stand behind. */
export const rankFields = (fields: readonly FieldEdits[]): FieldEdits[] =>
  fields.toSorted(
    (a, b) =>
      Number(a.shown < ENOUGH) - Number(b.shown < ENOUGH) ||
      b.edited / b.shown - a.edited / a.shown ||
      b.shown - a.shown,
  )

export function fieldsSentence(ranked: readonly FieldEdits[]): string {
  const [first] = ranked
  if (first === undefined) return 'No field was shown in an approved review in this period.'
  const rate = share(first.edited, first.shown)
  if (rate === null || rate === 0) return 'People approved everything as it was suggested.'
  return `${first.label} is edited most often: in ${percent(rate)} of ${counted(first.shown, 'approval')}.`
}

export function hoursSentence(hours: readonly (readonly number[])[], what: 'decisions' | 'requests'): string {
  const busiest = peak(hours.flat())
  if (busiest === null) return `There were no ${what} in this period.`
  const hour = busiest % 24
  const day = WEEKDAYS[Math.floor(busiest / 24)]
  return `Most ${what} fall on ${day}s between ${clock(hour)} and ${clock((hour + 1) % 24)}.`
}

export function deliveriesSentence({ total, succeeded, firstTry, retrying, dead }: DeliveryHealth): string {
  if (total === 0) return 'Nothing was delivered in this period.'
  return sentence(
    `${percentOf(succeeded, total)} of ${counted(total, 'delivery', 'deliveries')} ${total === 1 ? 'has' : 'have'} succeeded`,
    `${percentOf(firstTry, total)} at the first attempt`,
    retrying > 0 && `${count(retrying)} ${retrying === 1 ? 'is' : 'are'} being retried`,
    dead > 0 && `${count(dead)} failed for good`,
  )
}

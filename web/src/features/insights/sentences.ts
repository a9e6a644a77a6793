/** What each chart shows, in one sentence: under its title, and for screen readers. */

import { plural, t } from '@lingui/core/macro'
import type { DeliveryHealth, FieldEdits, Insights, InsightsPoint } from '@/api/insights'
import { formatHour, formatWeekday } from './dates'
import { formatCount, formatDuration, formatPercentOf, formatShare, toPercentText } from './format'
import type { Slot } from './slots'

function peak(numbers: readonly number[]): number | null {
  const most = Math.max(0, ...numbers)
  return most > 0 ? numbers.indexOf(most) : null
}

export function getActivitySentence(
  totals: Insights['totals'],
  series: readonly InsightsPoint[],
  slots: readonly Slot[],
): string {
  const busiest = peak(series.map(point => point.requested))
  const { requested, autoApproved: auto } = totals
  const decided = formatCount(totals.decided)
  const slot = busiest === null || slots.length < 2 ? undefined : slots[busiest]?.name
  if (busiest === null || slot === undefined)
    return t`${plural(requested, { one: '# review requested', other: '# reviews requested' })}, ${decided} decided by people${plural(auto, { 0: '', other: ', # auto-approved' })}.`
  const most = formatCount(series[busiest]?.requested ?? 0)
  return t`${plural(requested, { one: '# review requested', other: '# reviews requested' })}, ${decided} decided by people${plural(auto, { 0: '', other: ', # auto-approved' })}. Most requests: ${slot} (${most}).`
}

export function getTimesSentence({ medianSeconds, p90Seconds }: Insights['totals']): string {
  if (medianSeconds === null || p90Seconds === null) return t`No decisions in this period.`
  const [median, p90] = [formatDuration(medianSeconds), formatDuration(p90Seconds)]
  return t`Median time to decision is ${median}. 90% of reviews are decided within ${p90}.`
}

const OLD = 259_200

export function getAgesSentence({ total, ages, waiting }: Insights['open']): string {
  if (total === 0) return t`No pending reviews.`
  const young = ages.filter(age => age.upToSeconds !== null && age.upToSeconds <= OLD)
  const old = total - young.reduce((all, age) => all + age.count, 0)
  return t`${plural(total, { one: '# pending review', other: '# pending reviews' })}${plural(old, { 0: ', none older than 3 days', other: ', # older than 3 days' })}${plural(waiting, { 0: '', one: ', # waiting on an agent', other: ', # waiting on agents' })}.`
}

export function getRatesSentence({ approved, rejected, edited }: Insights['totals']): string {
  if (approved + rejected === 0) return t`No approvals or rejections in this period.`
  const approvalRate = formatPercentOf(approved, approved + rejected)
  if (approved === 0) return t`${approvalRate} of decisions were approvals.`
  const editRate = formatPercentOf(edited, approved)
  return t`${approvalRate} of decisions were approvals, and ${editRate} of those had edits.`
}

type Group = { name: string; decided: number; approved: number; rejected: number }

/** A rate of fewer decisions than this isn't worth a sentence. */
const MIN_DECISIONS = 5

export function getOutcomesSentence(groups: readonly Group[]): string {
  const [first] = groups
  if (first === undefined || first.decided === 0) return t`No decisions in this period.`
  const ranked = groups
    .filter(group => group.approved + group.rejected >= MIN_DECISIONS && group.rejected > 0)
    .sort((a, b) => b.rejected / (b.approved + b.rejected) - a.rejected / (a.approved + a.rejected))
  const { name, decided } = first
  if (groups.length === 1)
    return t`${name} has ${plural(decided, { one: '# decision', other: '# decisions' })}.`
  const [most] = ranked
  const isTie = groups[1]?.decided === decided
  if (most === undefined)
    return isTie
      ? t`There's a tie for the most decisions (${{ count: formatCount(decided) }} each).`
      : t`${name} has the most decisions (${{ count: formatCount(decided) }}).`
  const rejectedName = most.name
  const rate = formatPercentOf(most.rejected, most.approved + most.rejected)
  return isTie
    ? t`There's a tie for the most decisions (${{ count: formatCount(decided) }} each). ${rejectedName} is rejected most often (${rate}).`
    : t`${name} has the most decisions (${{ count: formatCount(decided) }}). ${rejectedName} is rejected most often (${rate}).`
}

/** The most edited first; fields shown too rarely to have a rate come last. */
export const rankFields = (fields: readonly FieldEdits[]): FieldEdits[] =>
  fields.toSorted(
    (a, b) =>
      Number(a.shown < MIN_DECISIONS) - Number(b.shown < MIN_DECISIONS) ||
      b.edited / b.shown - a.edited / a.shown ||
      b.shown - a.shown,
  )

export function getFieldsSentence(ranked: readonly FieldEdits[]): string {
  const [first] = ranked
  if (first === undefined) return t`No approved reviews in this period.`
  const rate = formatShare(first.edited, first.shown)
  if (rate === null || rate === 0) return t`Reviewers approved everything as suggested.`
  const { label: field, shown: total } = first
  return t`${field} is edited most often, in ${{ rate: toPercentText(rate) }} of ${plural(total, { one: '# approval', other: '# approvals' })}.`
}

export function getHoursSentence(
  hours: readonly (readonly number[])[],
  kind: 'decisions' | 'requests',
): string {
  const busiest = peak(hours.flat())
  if (busiest === null)
    return kind === 'decisions' ? t`No decisions in this period.` : t`No requests in this period.`
  const weekday = formatWeekday(Math.floor(busiest / 24), 'long')
  const [start, end] = [formatHour(busiest % 24), formatHour((busiest % 24) + 1)]
  return kind === 'decisions'
    ? t`Busiest time for decisions: ${weekday}, ${start} – ${end}.`
    : t`Busiest time for requests: ${weekday}, ${start} – ${end}.`
}

export function getDeliveriesSentence({
  total,
  succeeded,
  firstTry,
  retrying,
  dead,
}: DeliveryHealth): string {
  if (total === 0) return t`No deliveries in this period.`
  const [rate, firstRate] = [formatPercentOf(succeeded, total), formatPercentOf(firstTry, total)]
  return t`${rate} of ${plural(total, { one: '# delivery', other: '# deliveries' })} succeeded, ${firstRate} on the first attempt${plural(retrying, { 0: '', other: ', # retrying' })}${plural(dead, { 0: '', other: ', # failed' })}.`
}

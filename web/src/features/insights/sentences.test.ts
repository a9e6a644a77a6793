import { describe, expect, it } from 'vitest'
import {
  agesSentence,
  deliveriesSentence,
  fieldsSentence,
  hoursSentence,
  outcomesSentence,
  rankFields,
  ratesSentence,
  timesSentence,
} from './sentences'

const counted = { requested: 0, decided: 0, approved: 0, rejected: 0, edited: 0 }
const none = { ...counted, autoApproved: 0, medianSeconds: null, p90Seconds: null }
const totals = { ...none, previous: { ...counted, medianSeconds: null, p90Seconds: null } }

describe('a sentence', () => {
  it('about times', () => {
    expect(timesSentence({ ...totals, medianSeconds: 840, p90Seconds: 11_520 })).toBe(
      'Half of the decisions took at most 14m, nine of ten at most 3.2h.',
    )
    expect(timesSentence(totals)).toContain('Nobody')
  })

  it('about open reviews counts the old ones', () => {
    const ages = [
      { label: 'under an hour', upToSeconds: 3_600, count: 2 },
      { label: '1 to 3 days', upToSeconds: 259_200, count: 3 },
      { label: '3 to 7 days', upToSeconds: 604_800, count: 4 },
      { label: 'over 7 days', upToSeconds: null, count: 1 },
    ]
    expect(agesSentence({ total: 10, waiting: 1, oldestAt: null, ages })).toBe(
      '10 reviews are open right now, 5 for more than 3 days, 1 waits for the agent.',
    )
    expect(agesSentence({ total: 0, waiting: 0, oldestAt: null, ages: [] })).toBe(
      'Nothing is open right now.',
    )
  })

  it('about rates has none of nothing', () => {
    expect(ratesSentence({ ...totals, approved: 3, rejected: 1, edited: 1 })).toBe(
      '75% of the decisions were approvals, 33% of the approvals came after edits.',
    )
    expect(ratesSentence({ ...totals, rejected: 4 })).toBe('0% of the decisions were approvals.')
    expect(ratesSentence(totals)).toContain('Nothing')
  })

  it('about agents names no rate of a handful', () => {
    const group = (name: string, approved: number, rejected: number) => ({
      name,
      approved,
      rejected,
      decided: approved + rejected,
    })
    expect(outcomesSentence([group('A', 20, 1), group('B', 6, 4), group('C', 0, 2)])).toBe(
      'A has the most decisions: 21. B is rejected most often: 40%.',
    )
    expect(outcomesSentence([group('A', 1, 0), group('B', 1, 0)])).toBe('At most 1 decision each.')
    expect(outcomesSentence([group('A', 1, 0)])).toBe('A has 1 decision.')
    expect(outcomesSentence([])).toContain('Nothing')
  })

  it('about fields ranks by rate, those with too few approvals last', () => {
    const field = (label: string, edited: number, shown: number) => ({
      label,
      edited,
      shown,
      formId: 'f',
      fieldId: label,
    })
    const ranked = rankFields([field('once', 1, 1), field('rare', 1, 100), field('often', 4, 10)])
    expect(ranked.map(each => each.label)).toEqual(['often', 'rare', 'once'])
    expect(fieldsSentence(ranked)).toBe('often is edited most often: in 40% of 10 approvals.')
    expect(fieldsSentence([field('a', 0, 9)])).toBe('People approved everything as it was suggested.')
    expect(fieldsSentence([])).toContain('No field')
  })

  it('about hours names the busiest', () => {
    const hours = Array.from({ length: 7 }, () => Array.from({ length: 24 }, () => 0))
    expect(hoursSentence(hours, 'requests')).toBe('There were no requests in this period.')
    hours[6]?.splice(23, 1, 5)
    expect(hoursSentence(hours, 'decisions')).toBe('Most decisions fall on Sundays between 23:00 and 00:00.')
  })

  it('about deliveries tells what went wrong', () => {
    const health = {
      total: 1,
      succeeded: 1,
      firstTry: 1,
      retrying: 0,
      dead: 0,
      pending: 0,
      medianMs: 9,
      series: [],
    }
    expect(deliveriesSentence(health)).toBe('100% of 1 delivery has succeeded, 100% at the first attempt.')
    expect(
      deliveriesSentence({ ...health, total: 1_000, succeeded: 998, firstTry: 950, retrying: 1, dead: 1 }),
    ).toBe(
      '99.8% of 1,000 deliveries have succeeded, 95% at the first attempt, 1 is being retried, 1 failed for good.',
    )
    expect(deliveriesSentence({ ...health, total: 0 })).toContain('Nothing')
  })
})

import { describe, expect, it } from 'vitest'
import {
  getActivitySentence,
  getAgesSentence,
  getDeliveriesSentence,
  getFieldsSentence,
  getHoursSentence,
  getOutcomesSentence,
  getRatesSentence,
  getTimesSentence,
  rankFields,
} from './sentences'

const counted = { requested: 0, decided: 0, approved: 0, rejected: 0, edited: 0 }
const none = { ...counted, autoApproved: 0, medianSeconds: null, p90Seconds: null }
const totals = { ...none, previous: { ...counted, medianSeconds: null, p90Seconds: null } }

describe('a sentence', () => {
  it('about activity names the busiest step', () => {
    const slots = ['Nov 2', 'Nov 3'].map(name => ({
      name,
      start: new Date(0),
      last: '',
      state: 'whole' as const,
    }))
    const point = { start: '', ...counted, autoApproved: 0, medianSeconds: null, p90Seconds: null }
    const series = [
      { ...point, requested: 1 },
      { ...point, requested: 4 },
    ]
    expect(getActivitySentence({ ...totals, requested: 5, decided: 3 }, series, slots)).toBe(
      '5 reviews requested, 3 decided by people. Most requests: Nov 3 (4).',
    )
    expect(getActivitySentence({ ...totals, requested: 1, autoApproved: 1 }, [point], slots)).toBe(
      '1 review requested, 0 decided by people, 1 auto-approved.',
    )
  })

  it('about times', () => {
    expect(getTimesSentence({ ...totals, medianSeconds: 840, p90Seconds: 11_520 })).toBe(
      'Median time to decision is 14m. 90% of reviews are decided within 3.2h.',
    )
    expect(getTimesSentence(totals)).toBe('No decisions in this period.')
  })

  it('about pending reviews counts the old ones', () => {
    const ages = [
      { label: 'under an hour', upToSeconds: 3_600, count: 2 },
      { label: '1 to 3 days', upToSeconds: 259_200, count: 3 },
      { label: '3 to 7 days', upToSeconds: 604_800, count: 4 },
      { label: 'over 7 days', upToSeconds: null, count: 1 },
    ]
    expect(getAgesSentence({ total: 10, waiting: 1, oldestAt: null, ages })).toBe(
      '10 pending reviews, 5 older than 3 days, 1 waiting on an agent.',
    )
    expect(getAgesSentence({ total: 0, waiting: 0, oldestAt: null, ages: [] })).toBe('No pending reviews.')
    expect(
      getAgesSentence({
        total: 1,
        waiting: 0,
        oldestAt: null,
        ages: [{ label: '', upToSeconds: 3_600, count: 1 }],
      }),
    ).toBe('1 pending review, none older than 3 days.')
  })

  it('about rates has none of nothing', () => {
    expect(getRatesSentence({ ...totals, approved: 3, rejected: 1, edited: 1 })).toBe(
      '75% of decisions were approvals, and 33% of those had edits.',
    )
    expect(getRatesSentence({ ...totals, rejected: 4 })).toBe('0% of decisions were approvals.')
    expect(getRatesSentence(totals)).toBe('No approvals or rejections in this period.')
  })

  it('about agents names no rate of a handful', () => {
    const group = (name: string, approved: number, rejected: number) => ({
      name,
      approved,
      rejected,
      decided: approved + rejected,
    })
    expect(getOutcomesSentence([group('A', 20, 1), group('B', 6, 4), group('C', 0, 2)])).toBe(
      'A has the most decisions (21). B is rejected most often (40%).',
    )
    expect(getOutcomesSentence([group('A', 1, 0), group('B', 1, 0)])).toBe(
      "There's a tie for the most decisions (1 each).",
    )
    expect(getOutcomesSentence([group('A', 1, 0)])).toBe('A has 1 decision.')
    expect(getOutcomesSentence([])).toBe('No decisions in this period.')
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
    expect(getFieldsSentence(ranked)).toBe('often is edited most often, in 40% of 10 approvals.')
    expect(getFieldsSentence([field('a', 0, 9)])).toBe('Reviewers approved everything as suggested.')
    expect(getFieldsSentence([])).toBe('No approved reviews in this period.')
  })

  it('about hours names the busiest', () => {
    const hours = Array.from({ length: 7 }, () => Array.from({ length: 24 }, () => 0))
    expect(getHoursSentence(hours, 'requests')).toBe('No requests in this period.')
    hours[6]?.splice(23, 1, 5)
    expect(getHoursSentence(hours, 'decisions')).toBe('Busiest time for decisions: Sunday, 11 PM – 12 AM.')
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
    expect(getDeliveriesSentence(health)).toBe('100% of 1 delivery succeeded, 100% on the first attempt.')
    expect(
      getDeliveriesSentence({ ...health, total: 1_000, succeeded: 998, firstTry: 950, retrying: 1, dead: 1 }),
    ).toBe('99.8% of 1,000 deliveries succeeded, 95% on the first attempt, 1 retrying, 1 failed.')
    expect(getDeliveriesSentence({ ...health, total: 0 })).toBe('No deliveries in this period.')
  })
})

import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { ReviewUpdate } from '@/api/live'
import type { Me } from '@/api/session'
import {
  collectBurst,
  getNotificationText,
  type PendingReview,
  toPendingReview,
} from './review-notifications'

const me = {
  user: { userId: 'usr_me', email: 'me@example.com', name: 'Me' },
  permissions: ['read', 'decide'],
  groups: [{ groupId: 'grp_mine', name: 'Mine' }],
  standingInFor: [{ userId: 'usr_away', groupIds: ['grp_away'] }],
} as unknown as Me

const nameOf = (row: { formName: string }) => row.formName

const news = (change: Partial<ReviewUpdate> = {}, row: object = {}): ReviewUpdate => ({
  reviewId: 'rev_1',
  action: 'review.requested',
  actorId: 'key_1',
  row: {
    reviewId: 'rev_1',
    title: 'Autumn',
    formName: 'Draft',
    state: 'pending',
    retryRequested: false,
    assigneeIds: [],
    external: false,
    ...row,
  } as unknown as ReviewUpdate['row'],
  ...change,
})

test.each([
  ['for everybody', news(), true],
  ['by name', news({}, { assigneeIds: ['usr_me'] }), true],
  ['by group', news({}, { assigneeIds: ['grp_mine'] }), true],
  ['for somebody away', news({}, { assigneeIds: ['usr_away'] }), true],
  ['for their group', news({}, { assigneeIds: ['grp_away'] }), true],
  ['for somebody else', news({}, { assigneeIds: ['usr_other'] }), false],
  ['for somebody outside', news({}, { external: true }), false],
  ['by oneself', news({ actorId: 'usr_me' }), false],
  ['decided', news({ action: 'review.approved' }, { state: 'responded' }), false],
  ['waiting for the agent', news({ action: 'review.updated' }, { retryRequested: true }), false],
  ['deleted', news({ row: null }), false],
  ['something else', news({ action: 'review.media_copied' }), false],
])('%s', (_, what, expected) => {
  expect(toPendingReview(what, me, nameOf) !== null).toBe(expected)
})

test('nobody is asked who may not decide', () => {
  expect(toPendingReview(news(), { ...me, permissions: ['read'] }, nameOf)).toBe(null)
})

test('a review type is called by its name in the language of the page', () => {
  const german = () => 'Entwurf'
  expect(toPendingReview(news(), me, german)).toMatchObject({ title: 'Autumn', formName: 'Entwurf' })
  expect(toPendingReview(news({}, { title: undefined }), me, german)?.title).toBe('Entwurf')
})

test('a title rearranges nothing in the notification', () => {
  const hostile = (row: { formName: string }) => `\u202b${row.formName}`
  for (const control of ['\u202d', '\u202e', '\u2067', '\u2068', '\u2069', '\u202c'])
    expect(toPendingReview(news({}, { title: `a${control}gpj.exe` }), me, hostile)).toEqual({
      reviewId: 'rev_1',
      title: 'agpj.exe',
      formName: 'Draft',
    })
})

const asking = (number: number): PendingReview => ({
  reviewId: `rev_${number}`,
  title: `T${number}`,
  formName: 'F',
})

test('one is named, several are counted', () => {
  expect(getNotificationText([asking(1)])).toEqual({
    title: 'T1',
    body: 'F needs your review',
    reviewId: 'rev_1',
  })
  expect(getNotificationText([1, 2, 3, 4, 5].map(asking))).toEqual({
    title: '5 reviews need your decision',
    body: 'T1\nT2\nT3\nand 2 more',
    reviewId: null,
  })
})

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

test('a burst is told once, when it is over, and a long one in between', () => {
  const told: number[] = []
  const burst = collectBurst(all => told.push(all.length))
  for (let number = 0; number < 5; number++) {
    burst.add(asking(number))
    burst.add(asking(number))
    vi.advanceTimersByTime(1_000)
  }
  expect(told).toEqual([])
  vi.advanceTimersByTime(1_000)
  expect(told).toEqual([5])
  for (let number = 0; number < 15; number++) {
    burst.add(asking(number))
    vi.advanceTimersByTime(1_000)
  }
  vi.advanceTimersByTime(5_000)
  expect(told).toEqual([5, 10, 5])
})

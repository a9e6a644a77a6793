import { describe, expect, it } from 'vitest'
import type { ReviewFilters, ReviewRow } from './review-filters'
import { getFirstPages, patchList, type ReviewList } from './review-lists'

const viewer = { userId: 'usr_me', groupIds: [] }

const row = (id: string, change: Partial<ReviewRow> = {}): ReviewRow => ({
  reviewId: id,
  agentId: 'agt_1',
  sessionId: 'ses_1',
  formId: 'frm_1',
  formName: 'Draft',
  revision: 1,
  state: 'pending',
  retryRequested: false,
  autoApproved: false,
  createdAt: '2026-11-15T10:00:00.000Z',
  updatedAt: '2026-11-15T10:00:00.000Z',
  assigneeIds: [],
  external: false,
  ...change,
})

/** Pages of IDs. Each page ends with its cursor; the last one only if `more` pages follow. */
const list = (pages: string[][], more = true): ReviewList => ({
  pages: pages.map((ids, index) => ({
    items: ids.map(id => row(id)),
    nextCursor: more || index < pages.length - 1 ? ids.at(-1) : null,
  })),
  pageParams: pages.map((_ids, index) => pages[index - 1]?.at(-1)),
})

const ids = (patched: ReviewList) => patched.pages.map(page => page.items.map(item => item.reviewId))

const OPEN: ReviewFilters = { state: 'pending', retryRequested: false }
const put = (before: ReviewList, change: ReviewRow, filters = OPEN) =>
  patchList(before, filters, [{ reviewId: change.reviewId, row: change }], viewer)

describe('patchList', () => {
  const newest = list([
    ['r8', 'r6'],
    ['r4', 'r2'],
  ])
  const oldest = list([
    ['r2', 'r4'],
    ['r6', 'r8'],
  ])

  it.each([
    [
      'at the top',
      'r9',
      [
        ['r9', 'r8', 'r6'],
        ['r4', 'r2'],
      ],
    ],
    [
      'within a page',
      'r7',
      [
        ['r8', 'r7', 'r6'],
        ['r4', 'r2'],
      ],
    ],
    [
      'between two pages',
      'r5',
      [
        ['r8', 'r6'],
        ['r5', 'r4', 'r2'],
      ],
    ],
    [
      'not beyond what was read',
      'r1',
      [
        ['r8', 'r6'],
        ['r4', 'r2'],
      ],
    ],
  ])('puts a new review %s', (_where, id, expected) => {
    expect(ids(put(newest, row(id)).list)).toEqual(expected)
  })

  it('puts it at the end when everything was read', () => {
    expect(ids(put(list([['r8', 'r6']], false), row('r1')).list)).toEqual([['r8', 'r6', 'r1']])
  })

  it('keeps the other order', () => {
    const filters: ReviewFilters = { ...OPEN, order: 'oldest' }
    expect(ids(put(oldest, row('r3'), filters).list)).toEqual([
      ['r2', 'r3', 'r4'],
      ['r6', 'r8'],
    ])
    expect(put(oldest, row('r9'), filters).list).toBe(oldest)
  })

  it('puts it into an empty list', () => {
    const empty: ReviewList = { pages: [{ items: [], nextCursor: null }], pageParams: [undefined] }
    expect(ids(put(empty, row('r1')).list)).toEqual([['r1']])
  })

  it('takes out what does not belong any more', () => {
    expect(ids(put(newest, row('r6', { state: 'responded' })).list)).toEqual([['r8'], ['r4', 'r2']])
  })

  it('takes out what is gone', () => {
    const { list: patched } = patchList(newest, OPEN, [{ reviewId: 'r4', row: null }], viewer)
    expect(ids(patched)).toEqual([['r8', 'r6'], ['r2']])
  })

  it('replaces what changed where it stands', () => {
    const { list: patched } = put(newest, row('r6', { title: 'Other' }))
    expect(ids(patched)).toEqual(ids(newest))
    expect(patched.pages[0]?.items[1]?.title).toBe('Other')
  })

  it('does not go back to an older state', () => {
    const now = put(newest, row('r6', { updatedAt: '2026-11-15T12:00:00.000Z', title: 'Now' })).list
    expect(put(now, row('r6', { updatedAt: '2026-11-15T11:00:00.000Z', title: 'Before' })).list).toBe(now)
  })

  it('is the same object when nothing changed', () => {
    expect(put(newest, row('r0', { state: 'responded' })).list).toBe(newest)
    expect(patchList(newest, OPEN, [], viewer).list).toBe(newest)
  })

  it('does not guess which texts have the words', () => {
    const filters = { ...OPEN, q: 'news' }
    const added = put(newest, row('r9'), filters)
    expect(added).toEqual({ list: newest, isUncertain: true })
    const changed = put(newest, row('r8', { title: 'Other' }), filters)
    expect(changed.isUncertain).toBe(false)
    expect(changed.list.pages[0]?.items[0]?.title).toBe('Other')
  })

  it('takes many changes one after the other', () => {
    const { list: patched } = patchList(
      newest,
      OPEN,
      [
        { reviewId: 'r9', row: row('r9') },
        { reviewId: 'r8', row: null },
        { reviewId: 'r9', row: null },
      ],
      viewer,
    )
    expect(ids(patched)).toEqual([['r6'], ['r4', 'r2']])
  })
})

describe('getFirstPages', () => {
  it('keeps a short list and cuts a long one', () => {
    const short = list([['r2'], ['r1']])
    expect(getFirstPages(short)).toBe(short)
    const cut = getFirstPages(list([['r9'], ['r8'], ['r7'], ['r6'], ['r5']]))
    expect(ids(cut)).toEqual([['r9'], ['r8'], ['r7']])
    expect(cut.pageParams).toEqual([undefined, 'r9', 'r8'])
  })
})

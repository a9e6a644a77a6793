import { beforeEach, describe, expect, it, vi } from 'vitest'
import { matchFilters, type ReviewFilters, type ReviewRow } from './review-filters'
import { getFirstPages, type RowPage, RowStore, readPage, selectRows, startRead } from './row-store'

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
const LATER = { updatedAt: '2026-11-15T12:00:00.000Z' }
const LATEST = { updatedAt: '2026-11-15T13:00:00.000Z' }

const getId = (each: ReviewRow) => each.reviewId
const PENDING: ReviewFilters = { state: 'pending', retryRequested: false }

let store: RowStore<ReviewRow>
beforeEach(() => {
  store = new RowStore(getId, each => each.updatedAt)
})

/** Reads pages of a list. The last one is followed by more unless `isWhole`. */
const read = (ids: string[][], isWhole = false) =>
  Promise.all(
    ids.map((page, index) =>
      readPage(store, getId, async () => ({
        items: page.map(id => store.get(id) ?? row(id)),
        nextCursor: isWhole && index === ids.length - 1 ? null : 'cursor',
      })),
    ),
  )
const select = (pages: readonly RowPage[], filters = PENDING) =>
  selectRows(store, pages, {
    match: each => matchFilters(filters, each, viewer),
    getPosition: getId,
    isAscending: filters.order === 'oldest',
  })
const list = (pages: readonly RowPage[], filters = PENDING) => select(pages, filters).map(getId)

describe('a list', () => {
  it.each([
    ['at the top', 'r9', ['r9', 'r8', 'r6', 'r4', 'r2']],
    ['within a page', 'r7', ['r8', 'r7', 'r6', 'r4', 'r2']],
    ['between two pages', 'r5', ['r8', 'r6', 'r5', 'r4', 'r2']],
    ['but not beyond the last page', 'r1', ['r8', 'r6', 'r4', 'r2']],
  ])('shows a new row %s', async (_where, id, expected) => {
    const pages = await read([
      ['r8', 'r6'],
      ['r4', 'r2'],
    ])
    store.addChanges([row(id)])
    expect(list(pages)).toEqual(expected)
  })

  it('shows a new row at the end if there are no more pages', async () => {
    const pages = await read([['r8', 'r6']], true)
    store.addChanges([row('r1')])
    expect(list(pages)).toEqual(['r8', 'r6', 'r1'])
  })

  it('shows a new row if it was empty', async () => {
    const pages = await read([[]], true)
    store.addChanges([row('r1')])
    expect(list(pages)).toEqual(['r1'])
  })

  it('can be in ascending order', async () => {
    const oldest: ReviewFilters = { ...PENDING, order: 'oldest' }
    const pages = await read([['r2', 'r4'], ['r8']])
    store.addChanges([row('r3'), row('r9')])
    expect(list(pages, oldest)).toEqual(['r2', 'r3', 'r4', 'r8'])
  })

  it('drops rows that no longer belong, and deleted ones', async () => {
    const pages = await read([['r8', 'r6', 'r4']])
    store.addChanges([row('r6', { ...LATER, state: 'responded' })])
    store.delete(['r4'])
    expect(list(pages)).toEqual(['r8'])
  })

  it('shows a dropped row again once it belongs again', async () => {
    const pages = await read([['r8', 'r6']])
    store.addChanges([row('r6', { ...LATER, state: 'responded' })])
    store.addChanges([row('r6', LATEST)])
    expect(list(pages)).toEqual(['r8', 'r6'])
  })

  it('shows what the service listed, until it changes', async () => {
    const responded = row('r6', { state: 'responded' })
    const pages = [await readPage(store, getId, async () => ({ items: [responded] }))]
    expect(list(pages)).toEqual(['r6'])
    store.addChanges([{ ...responded, ...LATER }])
    expect(list(pages)).toEqual([])
  })

  it('keeps listed rows of a search, and adds none', async () => {
    const search = { ...PENDING, q: 'news' }
    const pages = await read([['r8']], true)
    store.addChanges([row('r8', { ...LATER, title: 'Changed' }), row('r9')])
    expect(select(pages, search)).toMatchObject([{ reviewId: 'r8', title: 'Changed' }])
  })

  it('does not show a row that left it before it was read', async () => {
    store.addChanges([row('r9')])
    const pages = await read([['r8']], true)
    expect(list(pages)).toEqual(['r8'])
  })

  it('shows a row that another list has read since', async () => {
    const pages = await read([['r8']], true)
    await read([['r9']], true)
    expect(list(pages)).toEqual(['r9', 'r8'])
  })

  it('shows a row that is on two pages once', async () => {
    expect(list(await read([['r8', 'r6'], ['r6']]))).toEqual(['r8', 'r6'])
  })
})

describe('a response', () => {
  it('does not undo changes that happened during the read', async () => {
    const [page] = await read([['r8', 'r6']], true)
    let respond = (_: { items: ReviewRow[] }) => {}
    const second = readPage(store, getId, () => new Promise<{ items: ReviewRow[] }>(r => (respond = r)))
    store.addChanges([row('r8', { title: 'Changed' }), row('r9')])
    store.delete(['r6'])
    respond({ items: [row('r8'), row('r6')] })
    const pages = [await second]
    expect(list(pages)).toEqual(['r9', 'r8'])
    expect(select([page as RowPage])[1]?.title).toBe('Changed')
  })

  it('counts if it has a newer version than the live stream has reported so far', () => {
    const started = startRead()
    store.addChanges([row('r8', LATER)])
    store.addResponse([row('r8', { ...LATEST, title: 'Newest' })], started)
    expect(store.get('r8')?.title).toBe('Newest')
    store.addChanges([row('r8', { ...LATER, title: 'Older' })])
    expect(store.get('r8')?.title).toBe('Newest')
  })

  it('does not replace the response to a later read', () => {
    const [first, second] = [startRead(), startRead()]
    store.addResponse([row('r8', { title: 'Second' })], second)
    store.addResponse([row('r8', { title: 'First' })], first)
    expect(store.get('r8')?.title).toBe('Second')
  })

  it('replaces an unchanged version: names of other objects are part of a row', () => {
    store.addResponse([row('r8')], startRead())
    store.addResponse([row('r8', { formName: 'Renamed' })], startRead())
    expect(store.get('r8')?.formName).toBe('Renamed')
  })
})

describe('the store', () => {
  it('reports changes only', () => {
    store.addChanges([row('r8')])
    const known = store.get('r8')
    const listener = vi.fn()
    const stop = store.subscribe(listener)
    store.addChanges([row('r8')])
    store.addResponse([row('r8')], startRead())
    expect(listener).not.toHaveBeenCalled()
    expect(store.get('r8')).toBe(known)
    store.delete(['r8'])
    expect(listener).toHaveBeenCalledOnce()
    expect(store.get('r8')).toBeUndefined()
    stop()
    store.addChanges([row('r9')])
    expect(listener).toHaveBeenCalledOnce()
  })

  it('drops unneeded rows when there are many', async () => {
    const pages = await read([['r8']], true)
    expect(store.isLarge).toBe(false)
    store.addChanges(
      Array.from({ length: 2_000 }, (_, index) => row(`n${index}`, { ...LATER, state: 'responded' })),
    )
    expect(store.isLarge).toBe(true)
    const shown = new Set(select(pages))
    store.keep(each => shown.has(each))
    expect(store.isLarge).toBe(false)
    expect(store.get('n7')).toBeUndefined()
    store.addChanges([row('n7', LATEST)])
    expect(list(pages)).toEqual(['r8', 'n7'])
  })
})

describe('getFirstPages', () => {
  it('keeps a short list and cuts a long one', () => {
    const pages = { pages: ['a', 'b', 'c', 'd'], pageParams: [undefined, 'a', 'b', 'c'] }
    expect(getFirstPages(pages, 4)).toBe(pages)
    expect(getFirstPages(pages, 2)).toEqual({ pages: ['a', 'b'], pageParams: [undefined, 'a'] })
  })
})

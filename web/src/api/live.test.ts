// @vitest-environment jsdom
import { QueryObserver } from '@tanstack/react-query'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { api } from './client'
import { countsKey } from './inbox'
import { startLiveUpdates } from './live'
import { RefetchingQueryClient } from './query-client'
import { reviewKeys, reviewQueries } from './review'
import type { ReviewFilters, ReviewRow } from './review-filters'
import { getListRules, reviewListKeys, reviewListQuery, reviewRows } from './reviews'
import { type RowList, selectRows, startRead } from './row-store'
import { runKeys } from './runs'
import { meKey } from './session'
import { sessionKeys } from './sessions'

/** A connection that the test controls. */
class FakeSource extends EventTarget {
  static readonly CONNECTING = 0
  static readonly OPEN = 1
  static readonly CLOSED = 2
  static all: FakeSource[] = []
  readyState: number = FakeSource.CONNECTING
  onerror: (() => void) | null = null
  constructor(readonly url: string) {
    super()
    FakeSource.all.push(this)
  }
  close() {
    this.readyState = FakeSource.CLOSED
  }
  say(event: string, data: unknown, id = '1') {
    this.readyState = FakeSource.OPEN
    this.dispatchEvent(new MessageEvent(event, { data: JSON.stringify(data), lastEventId: id }))
  }
  break(state: number) {
    this.readyState = state
    this.onerror?.()
  }
}

const OPEN: ReviewFilters = { state: 'pending', retryRequested: false }

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

const listOf = (ids: string[], change: Partial<ReviewRow> = {}): RowList => {
  const started = startRead()
  const rows = ids.map(id => row(id, change))
  reviewRows.addResponse(rows, started)
  return { pages: [{ ids, nextCursor: undefined, started, end: undefined }], pageParams: [undefined] }
}

const ME = { user: { userId: 'usr_me' }, groups: [], standingInFor: [] }

let client: RefetchingQueryClient
let stop: () => void
const line = () => FakeSource.all.at(-1) as FakeSource
const shown = (filters: ReviewFilters) =>
  selectRows(
    reviewRows,
    client.getQueryData<RowList>(reviewListKeys.list(filters))?.pages ?? [],
    getListRules(filters, { userId: 'usr_me', groupIds: [] }),
  ).map(({ reviewId }) => reviewId)
const isStale = (key: readonly unknown[]) => client.getQueryState(key)?.isInvalidated

beforeEach(() => {
  vi.useFakeTimers()
  vi.stubGlobal('EventSource', FakeSource)
  FakeSource.all = []
  client = new RefetchingQueryClient()
  client.setQueryData(meKey, ME)
  client.setQueryData(reviewListKeys.list(OPEN), listOf(['r5', 'r3']))
  client.setQueryData(reviewListKeys.list({ state: 'responded' }), listOf(['r1'], { state: 'responded' }))
  stop = startLiveUpdates(client)
  line().say('hello', {}, '10')
  // The first message refetches everything, which isn't tested here.
  client.clear()
  reviewRows.clear()
  client.setQueryData(reviewListKeys.list(OPEN), listOf(['r5', 'r3']))
  client.setQueryData(reviewListKeys.list({ state: 'responded' }), listOf(['r1'], { state: 'responded' }))
  client.setQueryData(countsKey, {})
  client.setQueryData(meKey, ME)
})

afterEach(() => {
  stop()
  client.clear()
  reviewRows.clear()
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
  vi.useRealTimers()
})

const told = (reviewId: string, now: ReviewRow | null, id = '11') =>
  line().say('review', { reviewId, action: 'review.x', actorId: 'usr_2', row: now }, id)

describe('the first greeting', () => {
  const FOLLOWED = [
    meKey,
    countsKey,
    reviewListKeys.list(OPEN),
    reviewKeys.review('r3'),
    reviewKeys.history('r3'),
    runKeys.one('run_1'),
    sessionKeys.session('ses_1'),
    ['agents', 'all'],
    ['forms', 'list', false],
    ['users', 'everybody'],
    ['outgoing-messages', 'one', 'whd_1'],
  ]

  beforeEach(() => {
    stop()
    for (const key of FOLLOWED) client.setQueryData(key, client.getQueryData(key) ?? {})
    client.setQueryData(['insights', 'decisions'], {})
    stop = startLiveUpdates(client)
    line().say('hello', {}, '10')
  })

  it.each(FOLLOWED)(
    'has %s read again: what happened before the line stood is told nowhere else',
    (...key) => {
      expect(isStale(key)).toBe(true)
    },
  )

  it('leaves what does not follow the line', () => {
    expect(isStale(['insights', 'decisions'])).toBe(false)
  })

  it('is the only one after which everything is read: a line that comes back says what was missed', () => {
    client.setQueryData(runKeys.one('run_2'), {})
    line().say('hello', {}, '11')
    expect(isStale(runKeys.one('run_2'))).toBe(false)
  })
})

describe('a review on the live line', () => {
  it('comes into every list that it belongs to', () => {
    told('r9', row('r9'))
    vi.advanceTimersByTime(100)
    expect(shown(OPEN)).toEqual(['r9', 'r5', 'r3'])
    expect(shown({ state: 'responded' })).toEqual(['r1'])
  })

  it('goes from one list to the other when it is decided', () => {
    told('r3', row('r3', { state: 'responded', response: 'approved' }))
    vi.advanceTimersByTime(100)
    expect(shown(OPEN)).toEqual(['r5'])
    expect(shown({ state: 'responded' })).toEqual(['r3', 'r1'])
  })

  it('goes everywhere when it is deleted', () => {
    told('r3', null)
    vi.advanceTimersByTime(100)
    expect(shown(OPEN)).toEqual(['r5'])
  })

  it('has its own queries and the counts read again, but not what was suggested', () => {
    client.setQueryData(reviewKeys.review('r3'), {})
    client.setQueryData(reviewKeys.suggestion('r3', 1), {})
    client.setQueryData(reviewKeys.review('r5'), {})
    const read = vi.fn(() => Promise.resolve({} as never))
    const suggestion = { ...reviewQueries.suggestion('r3', 1), queryFn: read }
    new QueryObserver(client, suggestion).subscribe(() => undefined)
    told('r3', row('r3'))
    vi.advanceTimersByTime(100)
    expect(isStale(reviewKeys.review('r3'))).toBe(true)
    expect(read).not.toHaveBeenCalled()
    expect(isStale(reviewKeys.review('r5'))).toBe(false)
    expect(isStale(countsKey)).toBe(true)
  })

  it('has counts read at most every 400 ms', () => {
    const invalidate = vi.spyOn(client, 'invalidateQueries')
    const counted = () => invalidate.mock.calls.filter(([what]) => what?.queryKey === countsKey).length
    for (let index = 0; index < 10; index += 1) {
      told(`n${index}`, row(`n${index}`))
      vi.advanceTimersByTime(100)
    }
    expect(counted()).toBeGreaterThanOrEqual(2)
    expect(counted()).toBeLessThanOrEqual(4)
  })

  it('is not lost when a list is being read at that moment', async () => {
    let respond = (_: unknown) => {}
    vi.spyOn(api, 'GET').mockReturnValueOnce(new Promise(resolve => (respond = resolve)) as never)
    const reading = client.fetchInfiniteQuery({ ...reviewListQuery(OPEN), staleTime: 0 })
    await vi.advanceTimersByTimeAsync(0)
    told('r9', row('r9'))
    told('r3', row('r3', { state: 'responded', response: 'approved' }))
    vi.advanceTimersByTime(100)
    // The response was made before these changes.
    respond({ data: { items: [row('r5'), row('r3')], nextCursor: null } })
    await reading
    expect(shown(OPEN)).toEqual(['r9', 'r5'])
  })

  it('that is deleted has its run and its session read again', () => {
    client.setQueryData(runKeys.one('run_1'), {})
    client.setQueryData(runKeys.one('run_2'), {})
    client.setQueryData(sessionKeys.session('ses_1'), {})
    reviewRows.addChanges([row('r3', { workflowRunId: 'run_1' })])
    told('r3', null)
    vi.advanceTimersByTime(100)
    expect(isStale(runKeys.one('run_1'))).toBe(true)
    expect(isStale(runKeys.one('run_2'))).toBe(false)
    expect(isStale(sessionKeys.session('ses_1'))).toBe(true)
  })

  it('leaves no rows behind that nothing shows', () => {
    for (let index = 0; index < 3_000; index += 1)
      told(`d${index}`, row(`d${index}`, { state: 'responded', response: 'rejected', sessionId: 'ses_9' }))
    client.removeQueries({ queryKey: reviewListKeys.list({ state: 'responded' }) })
    vi.advanceTimersByTime(100)
    expect(reviewRows.entries.size).toBe(2)
    expect(shown(OPEN)).toEqual(['r5', 'r3'])
  })

  it('has a search asked again, since only the service knows', () => {
    const searched = { ...OPEN, q: 'news' }
    client.setQueryData(reviewListKeys.list(searched), listOf(['r5']))
    told('r9', row('r9'))
    vi.advanceTimersByTime(100)
    expect(shown(searched)).toEqual(['r5'])
    expect(isStale(reviewListKeys.list(searched))).toBe(true)
  })
})

describe('the live line', () => {
  it('has everything read again after a reset', () => {
    client.setQueryData(['agents', 'all'], [])
    line().say('reset', {})
    expect(isStale(reviewListKeys.list(OPEN))).toBe(true)
    expect(isStale(['agents', 'all'])).toBe(true)
    expect(isStale(countsKey)).toBe(true)
  })

  it.each([
    ['agent.updated', ['agents', 'all']],
    ['form.created', ['forms', 'list', false]],
    ['user.updated', ['users', 'everybody']],
    ['group.updated', ['groups', 'all']],
    ['group.updated', meKey],
    ['group.updated', reviewListKeys.list(OPEN)],
    ['group.updated', countsKey],
  ])('after %s has %j read again', (action, key) => {
    client.setQueryData(key, client.getQueryData(key) ?? [])
    line().say('change', { action, objectId: 'x_1' })
    expect(isStale(key)).toBe(true)
  })

  it('somebody else’s change is none of one’s own', () => {
    line().say('change', { action: 'user.updated', objectId: 'usr_2' })
    expect(isStale(meKey)).toBe(false)
    line().say('change', { action: 'user.updated', objectId: 'usr_me' })
    expect(isStale(meKey)).toBe(true)
  })

  it('that is refused is tried again from where it was', () => {
    told('r9', row('r9'), '42')
    line().break(FakeSource.CLOSED)
    expect(isStale(meKey)).toBe(true)
    expect(FakeSource.all).toHaveLength(1)
    vi.advanceTimersByTime(1_000)
    expect(FakeSource.all).toHaveLength(2)
    expect(line().url).toMatch(/\/api\/v1\/live\?after=42$/)
  })

  it('that breaks is left to come back by itself', () => {
    line().break(FakeSource.CONNECTING)
    vi.advanceTimersByTime(60_000)
    expect(FakeSource.all).toHaveLength(1)
  })

  it('is opened anew when the network is back', () => {
    window.dispatchEvent(new Event('online'))
    expect(FakeSource.all).toHaveLength(2)
    expect(FakeSource.all[0]?.readyState).toBe(FakeSource.CLOSED)
  })

  it('is closed for good in the end', () => {
    stop()
    expect(line().readyState).toBe(FakeSource.CLOSED)
    window.dispatchEvent(new Event('online'))
    vi.advanceTimersByTime(200_000)
    expect(FakeSource.all).toHaveLength(1)
  })
})

// @vitest-environment jsdom
import { afterEach, beforeEach, describe, expect, it, type Mock, vi } from 'vitest'
import { ApiError } from '@/api/client'
import { MutationQueue, type SendRequest } from '@/api/mutation-queue'
import { type Access, type DraftBody, memberAccess } from '@/api/review'
import { changeValue, revertAll } from './edit'
import { EditStore, getDraftQueueOptions } from './edit-store'
import { form, suggestion } from './test-content'

const content = (revision = 1) => ({ form, suggestion: suggestion(), revision, trigger: false })

type Save = Mock<(id: string, draft: DraftBody, request: SendRequest) => Promise<ReturnType<typeof stored>>>

type Call = { params: { path: { reviewId: string } }; body: DraftBody } & SendRequest

const succeed = (): Save => vi.fn(async (_id, draft) => stored(draft))

let keys = 0

function desk(save = succeed(), key = `signoff.drafts.${++keys}`) {
  const forget = vi.fn(async () => ({}))
  const client = {
    PUT: async (_path: string, { params, body, keepalive, signal }: Call) => ({
      data: { draft: await save(params.path.reviewId, body, { keepalive, signal }) },
    }),
    DELETE: forget,
  }
  const access = { ...memberAccess, client } as unknown as Access
  const queue = new MutationQueue(getDraftQueueOptions(access, () => key))
  const store = new EditStore(queue)
  store.open('rev_1', content(), null)
  const type = (headline: string) => store.change('rev_1', edit => changeValue(edit, 'headline', headline))
  return { store, queue, save, forget, type, key }
}

const stored = (draft: DraftBody) => ({
  ...draft,
  reason: draft.reason ?? undefined,
  instructions: draft.instructions ?? undefined,
  savedAt: '2026-11-15T08:00:00Z',
})

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
  sessionStorage.clear()
})

describe('saving', () => {
  it('a moment after the last change, once', async () => {
    const { store, save, type } = desk()
    type('A')
    await vi.advanceTimersByTimeAsync(300)
    type('Ab')
    await vi.advanceTimersByTimeAsync(399)
    expect(save).not.toHaveBeenCalled()
    expect(store.saveState('rev_1')).toBe('unsaved')
    await vi.advanceTimersByTimeAsync(1)
    expect(save).toHaveBeenCalledOnce()
    expect(save.mock.lastCall?.slice(0, 2)).toEqual([
      'rev_1',
      { data: { draft: { headline: 'Ab' } }, revision: 1 },
    ])
    expect(store.saveState('rev_1')).toBe('saved')
  })

  it('what is typed while a save is under way is saved after it', async () => {
    const waiting: (() => void)[] = []
    const save = vi.fn(
      (_id: string, draft: DraftBody, _request: SendRequest) =>
        new Promise<ReturnType<typeof stored>>(resolve => waiting.push(() => resolve(stored(draft)))),
    )
    const { store, type } = desk(save)
    type('A')
    await vi.advanceTimersByTimeAsync(400)
    type('Ab')
    waiting.shift()?.()
    await vi.advanceTimersByTimeAsync(400)
    waiting.shift()?.()
    await vi.advanceTimersByTimeAsync(0)
    expect(save).toHaveBeenCalledTimes(2)
    expect(save.mock.lastCall?.[1].data).toEqual({ draft: { headline: 'Ab' } })
    expect(store.saveState('rev_1')).toBe('saved')
  })

  it('one at a time on a slow link, in order, and the last one has the latest text', async () => {
    const under: string[] = []
    const arrived: string[] = []
    const save: Save = vi.fn(async (_id, draft) => {
      const { headline } = draft.data.draft as { headline: string }
      under.push(headline)
      expect(under).toHaveLength(1)
      await new Promise(resolve => setTimeout(resolve, 5_000))
      under.pop()
      arrived.push(headline)
      return stored(draft)
    })
    const { store, type } = desk(save)
    for (const text of ['A', 'Ab', 'Abc', 'Abcd']) {
      type(text)
      await vi.advanceTimersByTimeAsync(1_500)
    }
    // A second flush doesn't start a second save either.
    const flushed = Promise.all([store.flush('rev_1'), store.flush('rev_1'), store.leave('rev_1')])
    await vi.advanceTimersByTimeAsync(20_000)
    await flushed
    expect(arrived).toEqual(['A', 'Abcd'])
    expect(store.saveState('rev_1')).toBe('saved')
  })

  it('closing the page breaks off the save under way and sends what there is', async () => {
    const requests: SendRequest[] = []
    const save: Save = vi.fn((_id, _draft, request) => {
      requests.push(request)
      return new Promise(() => {})
    })
    const { queue, type } = desk(save)
    type('A')
    await vi.advanceTimersByTimeAsync(400)
    type('Ab')
    void queue.sendNow(undefined, true)
    expect(requests.map(({ keepalive, signal }) => [keepalive, signal.aborted])).toEqual([
      [false, true],
      [true, false],
    ])
    expect(save.mock.lastCall?.[1].data).toEqual({ draft: { headline: 'Ab' } })
  })

  it('going away saves at once, and signing out waits for it', async () => {
    const { store, queue, save, type } = desk()
    type('A')
    await store.leave('rev_1')
    expect(save).toHaveBeenCalledOnce()
    expect(store.edit('rev_1')?.values.headline).toBe('A')
    type('Ab')
    await queue.sendNow()
    expect(save).toHaveBeenCalledTimes(2)
    expect(store.saveState('rev_1')).toBe('saved')
  })

  it('nothing typed: nothing is saved, and nothing kept', async () => {
    const { store, save } = desk()
    await store.leave('rev_1')
    expect(save).not.toHaveBeenCalled()
    expect(store.edit('rev_1')).toBeNull()
  })

  it('taking everything back removes the draft', async () => {
    const { store, forget, type } = desk()
    type('A')
    await vi.advanceTimersByTimeAsync(400)
    store.change('rev_1', revertAll)
    await vi.advanceTimersByTimeAsync(400)
    expect(forget).toHaveBeenCalledOnce()
    expect(store.saveState('rev_1')).toBe('none')
  })

  it('taken back before it was ever saved, there is nothing to remove', async () => {
    const { store, save, forget, type } = desk()
    type('A')
    store.change('rev_1', revertAll)
    await vi.advanceTimersByTimeAsync(400)
    expect(save).not.toHaveBeenCalled()
    expect(forget).not.toHaveBeenCalled()
    expect(store.saveState('rev_1')).toBe('none')
  })
})

describe('failing', () => {
  it('is shown, and tried again', async () => {
    const save = succeed()
    save.mockRejectedValueOnce(new ApiError(0, { code: 'network' }))
    const { store, type } = desk(save)
    type('A')
    await vi.advanceTimersByTimeAsync(400)
    expect(store.saveState('rev_1')).toBe('failed')
    await vi.advanceTimersByTimeAsync(3_000)
    expect(store.saveState('rev_1')).toBe('saved')
  })

  it.each([400, 403, 413, 422])('a %d is final: it is said, and not tried again', async status => {
    const save: Save = vi.fn(async () => {
      throw new ApiError(status, { detail: 'No.' })
    })
    const { store, type } = desk(save)
    type('A')
    await vi.advanceTimersByTimeAsync(3_600_000)
    expect(save).toHaveBeenCalledOnce()
    expect(store.saveState('rev_1')).toBe('refused')
    expect(store.saveError('rev_1')?.message).toBe('No.')
    expect(store.edit('rev_1')?.values.headline).toBe('A')
    // Other values may be accepted, and the member may try again.
    type('Ab')
    await vi.advanceTimersByTimeAsync(400)
    expect(save).toHaveBeenCalledTimes(2)
    await store.flush('rev_1')
    expect(save).toHaveBeenCalledTimes(3)
  })

  it('a 429 is tried again when the service said, whatever is typed until then', async () => {
    const save = succeed()
    save.mockRejectedValueOnce(new ApiError(429, { retryAfter: 120 }))
    const { store, type } = desk(save)
    type('A')
    await vi.advanceTimersByTimeAsync(400)
    type('Ab')
    await store.leave('rev_1')
    await vi.advanceTimersByTimeAsync(119_000)
    expect(save).toHaveBeenCalledOnce()
    await vi.advanceTimersByTimeAsync(2_000)
    expect(save).toHaveBeenCalledTimes(2)
    expect(save.mock.lastCall?.[1].data).toEqual({ draft: { headline: 'Ab' } })
    expect(store.saveState('rev_1')).toBe('saved')
  })

  it('an outage is tried less and less often', async () => {
    const save: Save = vi.fn(async () => {
      throw new ApiError(503, {})
    })
    const { type } = desk(save)
    type('A')
    await vi.advanceTimersByTimeAsync(10 * 60_000)
    expect(save.mock.calls.length).toBeGreaterThan(8)
    expect(save.mock.calls.length).toBeLessThan(16)
  })

  it.each([404, 409])('a %d ends it: the review is gone or decided, what was typed stays', async status => {
    const save = succeed()
    save.mockRejectedValue(new ApiError(status, { code: 'already_responded' }))
    const { store, type } = desk(save)
    type('A')
    await vi.advanceTimersByTimeAsync(60_000)
    expect(save).toHaveBeenCalledOnce()
    expect(store.edit('rev_1')?.values.headline).toBe('A')
  })
})

it('a decided review is forgotten, and what was about to be saved is not', async () => {
  const { store, save, type } = desk()
  type('A')
  store.forget('rev_1')
  await vi.advanceTimersByTimeAsync(60_000)
  expect(save).not.toHaveBeenCalled()
  expect(store.edit('rev_1')).toBeNull()
})

it('follows the language of the review type, and keeps what is typed', () => {
  const { store, type } = desk()
  type('Mine')
  const edit = store.edit('rev_1')
  const german = { ...form, name: 'Entwurf' }
  store.open('rev_1', { ...content(), form: german, suggestion: edit?.suggestion ?? suggestion() }, null)
  expect(store.edit('rev_1')).toEqual({ ...edit, form: german })
  expect(store.saveState('rev_1')).toBe('unsaved')
})

describe('the tab', () => {
  const getStored = () => Object.values(sessionStorage).map(text => JSON.parse(text).draft.data)

  it('keeps what is not saved, until it is', async () => {
    const { type } = desk()
    type('A')
    expect(getStored()).toEqual([{ draft: { headline: 'A' } }])
    type('Ab')
    expect(getStored()).toEqual([{ draft: { headline: 'Ab' } }])
    await vi.advanceTimersByTimeAsync(400)
    expect(getStored()).toEqual([])
  })

  it('keeps what was refused; after a reload it is there, before the draft, and is saved', async () => {
    const refusing: Save = vi.fn(async () => {
      throw new ApiError(403, {})
    })
    const before = desk(refusing)
    before.type('Mine')
    await vi.advanceTimersByTimeAsync(400)
    const { store, save } = desk(succeed(), before.key)
    store.open('rev_1', content(), stored({ data: { draft: { headline: 'Older' } }, revision: 1 }))
    expect(store.edit('rev_1')?.values.headline).toBe('Mine')
    await vi.advanceTimersByTimeAsync(400)
    expect(save.mock.lastCall?.[1].data).toEqual({ draft: { headline: 'Mine' } })
    expect(getStored()).toEqual([])
  })

  it('says what it keeps of a review that is not open', async () => {
    const before = desk(vi.fn(() => new Promise<never>(() => {})))
    before.type('Mine')
    const { store } = desk(succeed(), before.key)
    store.forget('rev_2')
    expect(store.local('rev_2')).toBeUndefined()
    expect(store.local('rev_1')?.data).toEqual({ draft: { headline: 'Mine' } })
  })

  it('keeps nothing of a review that is decided', () => {
    const { store, type } = desk()
    type('A')
    store.forget('rev_1')
    expect(getStored()).toEqual([])
  })
})

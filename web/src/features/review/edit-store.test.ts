// @vitest-environment jsdom
import { afterEach, beforeEach, describe, expect, it, type Mock, vi } from 'vitest'
import { ApiError } from '@/api/client'
import type { DraftBody, DraftRequest } from '@/api/review'
import { changeValue, revertAll } from './edit'
import { EditStore, type UnsavedEdits } from './edit-store'
import { form, suggestion } from './test-content'

const content = (revision = 1) => ({ form, suggestion: suggestion(), revision, trigger: false })

type Save = Mock<(id: string, draft: DraftBody, request: DraftRequest) => Promise<ReturnType<typeof stored>>>

function desk(
  save: Save = vi.fn(async (_id: string, draft: DraftBody, _request: DraftRequest) => stored(draft)),
  shelf?: UnsavedEdits,
) {
  const forget = vi.fn(async () => {})
  const store = new EditStore({ save, forget }, shelf)
  store.open('rev_1', content(), null)
  const type = (headline: string) => store.change('rev_1', edit => changeValue(edit, 'headline', headline))
  return { store, save, forget, type }
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
      (_id: string, draft: DraftBody, _request: DraftRequest) =>
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
    const requests: DraftRequest[] = []
    const save: Save = vi.fn((_id, _draft, request) => {
      requests.push(request)
      return new Promise(() => {})
    })
    const { store, type } = desk(save)
    type('A')
    await vi.advanceTimersByTimeAsync(400)
    type('Ab')
    void store.flushAll(true)
    expect(requests.map(({ closing, signal }) => [closing, signal.aborted])).toEqual([
      [false, true],
      [true, false],
    ])
    expect(save.mock.lastCall?.[1].data).toEqual({ draft: { headline: 'Ab' } })
  })

  it('going away saves at once; closing the page says so', async () => {
    const { store, save, type } = desk()
    type('A')
    await store.leave('rev_1')
    expect(save).toHaveBeenCalledOnce()
    expect(store.edit('rev_1')?.values.headline).toBe('A')
    type('Ab')
    await store.flushAll(true)
    expect(save.mock.lastCall?.[2].closing).toBe(true)
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
    const save = vi.fn(async (_id: string, draft: DraftBody, _request: DraftRequest) => stored(draft))
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
    const save: Save = vi.fn(async (_id, draft) => stored(draft))
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
    const save = vi.fn(async (_id: string, draft: DraftBody, _request: DraftRequest) => stored(draft))
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
  const shelf = () => {
    const kept = new Map<string, DraftBody>()
    return {
      kept,
      read: (id: string) => kept.get(id) ?? null,
      keep: (id: string, draft: DraftBody | null) =>
        draft === null ? void kept.delete(id) : void kept.set(id, draft),
    }
  }

  it('keeps what is not saved, until it is', async () => {
    const tab = shelf()
    const { type } = desk(undefined, tab)
    type('A')
    expect(tab.kept.get('rev_1')?.data).toEqual({ draft: { headline: 'A' } })
    await vi.advanceTimersByTimeAsync(400)
    expect(tab.kept.size).toBe(0)
  })

  it('keeps what was refused; after a reload it is there, before the draft, and is saved', async () => {
    const tab = shelf()
    const refusing: Save = vi.fn(async () => {
      throw new ApiError(403, {})
    })
    const before = desk(refusing, tab)
    before.type('Mine')
    await vi.advanceTimersByTimeAsync(400)
    const save: Save = vi.fn(async (_id, draft) => stored(draft))
    const store = new EditStore({ save, forget: async () => {} }, tab)
    store.open('rev_1', content(), stored({ data: { draft: { headline: 'Older' } }, revision: 1 }))
    expect(store.edit('rev_1')?.values.headline).toBe('Mine')
    await vi.advanceTimersByTimeAsync(400)
    expect(save.mock.lastCall?.[1].data).toEqual({ draft: { headline: 'Mine' } })
    expect(tab.kept.size).toBe(0)
  })

  it('keeps nothing of a review that is decided', () => {
    const tab = shelf()
    const { store, type } = desk(undefined, tab)
    type('A')
    store.forget('rev_1')
    expect(tab.kept.size).toBe(0)
  })
})

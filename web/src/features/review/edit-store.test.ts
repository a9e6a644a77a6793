// @vitest-environment jsdom
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { ApiError } from '@/api/client'
import type { DraftBody } from '@/api/review'
import { EditStore } from './edit-store'
import { changeValue, revertAll } from './editing'
import { form, suggestion } from './test-content'

const content = (revision = 1) => ({ form, suggestion: suggestion(), revision, trigger: false })

function desk(save = vi.fn(async (_id: string, draft: DraftBody, _closing: boolean) => stored(draft))) {
  const forget = vi.fn(async () => {})
  const store = new EditStore({ save, forget })
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
    expect(save.mock.calls).toEqual([['rev_1', { data: { draft: { headline: 'Ab' } }, revision: 1 }, false]])
    expect(store.saveState('rev_1')).toBe('saved')
  })

  it('what is typed while a save is under way is saved after it', async () => {
    const waiting: (() => void)[] = []
    const save = vi.fn(
      (_id: string, draft: DraftBody, _closing: boolean) =>
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

  it('going away saves at once; closing the page says so', async () => {
    const { store, save, type } = desk()
    type('A')
    await store.leave('rev_1')
    expect(save).toHaveBeenCalledOnce()
    expect(store.edit('rev_1')?.values.headline).toBe('A')
    type('Ab')
    await store.flushAll(true)
    expect(save.mock.lastCall?.[2]).toBe(true)
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
    const save = vi.fn(async (_id: string, draft: DraftBody, _closing: boolean) => stored(draft))
    save.mockRejectedValueOnce(new ApiError(0, { code: 'network' }))
    const { store, type } = desk(save)
    type('A')
    await vi.advanceTimersByTimeAsync(400)
    expect(store.saveState('rev_1')).toBe('failed')
    await vi.advanceTimersByTimeAsync(3_000)
    expect(store.saveState('rev_1')).toBe('saved')
  })

  it.each([404, 409])('a %d ends it: the review is gone or decided, what was typed stays', async status => {
    const save = vi.fn(async (_id: string, draft: DraftBody, _closing: boolean) => stored(draft))
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

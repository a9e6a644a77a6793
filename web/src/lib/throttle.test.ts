import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { throttle } from './throttle'

describe('throttle', () => {
  beforeEach(() => void vi.useFakeTimers())
  afterEach(() => void vi.useRealTimers())

  it('runs at once, then once more for everything that came since', () => {
    const work = vi.fn()
    const ask = throttle(work, 400)
    ask()
    expect(work).toHaveBeenCalledTimes(1)
    ask()
    ask()
    vi.advanceTimersByTime(399)
    expect(work).toHaveBeenCalledTimes(1)
    vi.advanceTimersByTime(1)
    expect(work).toHaveBeenCalledTimes(2)
    vi.advanceTimersByTime(10_000)
    expect(work).toHaveBeenCalledTimes(2)
  })

  it('forgets what was asked for when it is cancelled', () => {
    const work = vi.fn()
    const ask = throttle(work, 400)
    ask()
    ask()
    ask.cancel()
    vi.advanceTimersByTime(1_000)
    expect(work).toHaveBeenCalledTimes(1)
  })
})

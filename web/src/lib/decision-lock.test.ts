// @vitest-environment jsdom
import { describe, expect, it, vi } from 'vitest'
import { DecisionLock, HOLD_MS, type LockClock } from './decision-lock'

/** A clock and frames that the test controls. */
function manualClock() {
  let now = 1_000
  let timers: { at: number; run: () => void }[] = []
  let waiting: { isReady: () => boolean; run: () => void }[] = []
  const clock: LockClock = {
    now: () => now,
    afterPaint: (isReady, run) => {
      const each = { isReady, run }
      waiting.push(each)
      return () => {
        waiting = waiting.filter(other => other !== each)
      }
    },
    after: (milliseconds, run) => {
      const timer = { at: now + milliseconds, run }
      timers.push(timer)
      return () => {
        timers = timers.filter(other => other !== timer)
      }
    },
  }
  return {
    clock,
    now: () => now,
    paint: () => {
      const ready = waiting.filter(each => each.isReady())
      waiting = waiting.filter(each => !ready.includes(each))
      for (const each of ready) each.run()
    },
    pass: (milliseconds: number) => {
      now += milliseconds
      const due = timers.filter(timer => timer.at <= now)
      timers = timers.filter(timer => timer.at > now)
      for (const timer of due) timer.run()
    },
    /** Time passes, but the page is too busy to run its timers. */
    jam: (milliseconds: number) => {
      now += milliseconds
    },
  }
}

const ready = () => true

describe('DecisionLock', () => {
  it('opens when the content was painted and the hold has passed, not before', () => {
    const time = manualClock()
    const lock = new DecisionLock(time.clock)
    lock.show('first', ready)
    time.pass(10 * HOLD_MS)
    expect(lock.allows('first', time.now())).toBe(false)
    time.paint()
    time.pass(HOLD_MS - 1)
    expect(lock.allows('first', time.now())).toBe(false)
    expect(lock.isLocked('first')).toBe(true)
    time.pass(1)
    expect(lock.allows('first', time.now())).toBe(true)
    expect(lock.isLocked('first')).toBe(false)
  })

  it('locks again for other content, and for content that changed before it opened', () => {
    const time = manualClock()
    const lock = new DecisionLock(time.clock)
    lock.show('first', ready)
    time.paint()
    time.pass(HOLD_MS)
    lock.show('second', ready)
    expect(lock.allows('second', time.now())).toBe(false)
    expect(lock.allows('first', time.now())).toBe(false)
    time.paint()
    time.pass(HOLD_MS - 1)
    lock.show('third', ready)
    time.paint()
    time.pass(1)
    expect(lock.allows('third', time.now())).toBe(false)
    time.pass(HOLD_MS)
    expect(lock.allows('third', time.now())).toBe(true)
  })

  it('does not open for a page that shows a placeholder, or that nobody sees', () => {
    const time = manualClock()
    const lock = new DecisionLock(time.clock)
    let isLoaded = false
    lock.show('first', () => isLoaded)
    time.paint()
    time.pass(10 * HOLD_MS)
    expect(lock.isLocked('first')).toBe(true)
    isLoaded = true
    time.paint()
    time.pass(HOLD_MS)
    expect(lock.isLocked('first')).toBe(false)
  })

  it('goes by when a key was pressed, however late it is handled', () => {
    const time = manualClock()
    const lock = new DecisionLock(time.clock)
    lock.show('first', ready)
    time.paint()
    const pressed = time.now() + HOLD_MS - 100
    time.jam(2 * HOLD_MS)
    expect(lock.allows('first', pressed)).toBe(false)
    expect(lock.allows('first', time.now())).toBe(true)
  })

  it('tells its listeners when it opens and closes, and is closed for nothing', () => {
    const time = manualClock()
    const lock = new DecisionLock(time.clock)
    const heard = vi.fn()
    lock.subscribe(heard)
    lock.show('first', ready)
    time.paint()
    time.pass(HOLD_MS)
    expect(heard).toHaveBeenCalledTimes(1)
    lock.show(null, ready)
    expect(heard).toHaveBeenCalledTimes(2)
    time.paint()
    time.pass(HOLD_MS)
    expect(lock.isLocked('first')).toBe(true)
  })
})

// @vitest-environment jsdom
import { afterEach, describe, expect, it, vi } from 'vitest'
import { onPageExit } from '@/lib/page-exit'
import { announceSignOut, flushAllTabs, subscribeToSignOut } from './sign-out'

let undo: (() => void)[] = []
afterEach(() => {
  for (const each of undo) each()
  undo = []
})

describe('signing out', () => {
  it('waits until other pages have sent what they hold back', async () => {
    let arrived = 0
    const slowly = async () => {
      await new Promise(resolve => setTimeout(resolve, 50))
      arrived += 1
    }
    // Both tabs share this module's pending work: the first call is for this tab, the second for the other.
    undo.push(
      subscribeToSignOut(() => undefined),
      onPageExit(() => slowly()),
    )
    await flushAllTabs()
    expect(arrived).toBe(2)
  })

  it('goes on where nobody else is there', async () => {
    await expect(flushAllTabs()).resolves.toBeUndefined()
  })

  it('has all other pages leave', async () => {
    const onGone = vi.fn()
    undo.push(subscribeToSignOut(onGone))
    announceSignOut()
    await vi.waitFor(() => expect(onGone).toHaveBeenCalledOnce())
  })
})

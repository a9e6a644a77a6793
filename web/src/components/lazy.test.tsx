// @vitest-environment jsdom
import { act, Suspense } from 'react'
import { createRoot, type Root } from 'react-dom/client'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { lazyPart } from './lazy'

describe('a part that cannot be loaded', () => {
  let root: Root
  let box: HTMLElement

  beforeEach(() => {
    vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true)
    vi.stubGlobal('fetch', () => Promise.reject(new Error('offline')))
    box = document.body.appendChild(document.createElement('div'))
    root = createRoot(box)
  })

  afterEach(() => {
    act(() => root.unmount())
    box.remove()
    vi.unstubAllGlobals()
  })

  it('keeps decisions locked until it is there', async () => {
    let isReachable = false
    const Part = lazyPart(async () => {
      if (!isReachable) throw new Error('not found')
      return { default: () => <p>Here it is</p> }
    })
    await act(async () =>
      root.render(
        <Suspense fallback={null}>
          <Part />
        </Suspense>,
      ),
    )
    await vi.waitFor(() => expect(box.textContent).toContain("Couldn't load this part"))
    expect(box.querySelector('[data-loading]')).not.toBeNull()
    isReachable = true
    await act(async () => box.querySelector('button')?.click())
    await vi.waitFor(() => expect(box.textContent).toBe('Here it is'))
    expect(box.querySelector('[data-loading]')).toBeNull()
  })

  it('offers a reload if the service is reachable and has the same build', async () => {
    const entry = document.head.appendChild(document.createElement('script'))
    entry.type = 'module'
    entry.setAttribute('src', 'entry.js')
    vi.stubGlobal('fetch', async () => new Response('<script type="module" src="entry.js"></script>'))
    const Part = lazyPart(() => Promise.reject<{ default: () => null }>(new Error('not found')))
    await act(async () =>
      root.render(
        <Suspense fallback={null}>
          <Part />
        </Suspense>,
      ),
    )
    await vi.waitFor(() => expect(box.textContent).toContain('A file that this page needs is missing.'))
    expect(box.querySelector('button')?.textContent).toBe('Reload')
    entry.remove()
  })
})

// @vitest-environment jsdom
import { Suspense } from 'react'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { setUpRendering } from '@/test-rendering'
import { lazyPart } from './lazy'

const page = setUpRendering()

describe('a part that cannot be loaded', () => {
  beforeEach(() => {
    vi.stubGlobal('fetch', () => Promise.reject(new Error('offline')))
  })

  it('keeps decisions locked until it is there', async () => {
    let isReachable = false
    const Part = lazyPart(async () => {
      if (!isReachable) throw new Error('not found')
      return { default: () => <p>Here it is</p> }
    })
    await page.render(
      <Suspense fallback={null}>
        <Part />
      </Suspense>,
    )
    await vi.waitFor(() => expect(document.body.textContent).toContain("Couldn't load this part"))
    expect(document.querySelector('[data-loading]')).not.toBeNull()
    isReachable = true
    await page.click('button')
    await vi.waitFor(() => expect(document.body.textContent).toBe('Here it is'))
    expect(document.querySelector('[data-loading]')).toBeNull()
  })

  it('offers a reload if the service is reachable and has the same build', async () => {
    const entry = document.head.appendChild(document.createElement('script'))
    entry.type = 'module'
    entry.setAttribute('src', 'entry.js')
    vi.stubGlobal('fetch', async () => new Response('<script type="module" src="entry.js"></script>'))
    const Part = lazyPart(() => Promise.reject<{ default: () => null }>(new Error('not found')))
    await page.render(
      <Suspense fallback={null}>
        <Part />
      </Suspense>,
    )
    await vi.waitFor(() =>
      expect(document.body.textContent).toContain('A file that this page needs is missing.'),
    )
    expect(document.querySelector('button')?.textContent).toBe('Reload')
    entry.remove()
  })
})

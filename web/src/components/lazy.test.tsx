// @vitest-environment jsdom
import { render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { Suspense } from 'react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { lazyPart } from './lazy'

describe('a part that cannot be loaded', () => {
  beforeEach(() => {
    vi.stubGlobal('fetch', () => Promise.reject(new Error('offline')))
  })
  afterEach(() => {
    vi.unstubAllGlobals()
  })

  it('keeps decisions locked until it is there', async () => {
    let isReachable = false
    const Part = lazyPart(async () => {
      if (!isReachable) throw new Error('not found')
      return { default: () => <p>Here it is</p> }
    })
    render(
      <Suspense fallback={null}>
        <Part />
      </Suspense>,
    )
    await screen.findByText("Couldn't load this part", { exact: false })
    expect(document.querySelector('[data-loading]')).not.toBeNull()
    isReachable = true
    await userEvent.click(screen.getByRole('button'))
    await vi.waitFor(() => expect(document.body.textContent).toBe('Here it is'))
    expect(document.querySelector('[data-loading]')).toBeNull()
  })

  it('offers a reload if the service is reachable and has the same build', async () => {
    const entry = document.head.appendChild(document.createElement('script'))
    entry.type = 'module'
    entry.setAttribute('src', 'entry.js')
    vi.stubGlobal('fetch', async () => new Response('<script type="module" src="entry.js"></script>'))
    const Part = lazyPart(() => Promise.reject<{ default: () => null }>(new Error('not found')))
    render(
      <Suspense fallback={null}>
        <Part />
      </Suspense>,
    )
    await screen.findByText('A file that this page needs is missing.', { exact: false })
    expect(screen.getByRole('button', { name: 'Reload' })).toBeTruthy()
    entry.remove()
  })
})

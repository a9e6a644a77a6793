// @vitest-environment jsdom
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import {
  createMemoryHistory,
  createRootRoute,
  createRoute,
  createRouter,
  Link,
  Outlet,
  RouterProvider,
} from '@tanstack/react-router'
import { act } from 'react'
import { createRoot, type Root } from 'react-dom/client'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { ApiError } from '@/api/client'
import { PageError } from './page-error'

describe('a page that fails', () => {
  let client: QueryClient
  let root: Root
  let box: HTMLElement
  let renderPage: () => string
  let load: () => void
  const log = vi.fn()

  beforeEach(async () => {
    vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true)
    vi.stubGlobal('scrollTo', () => undefined)
    vi.spyOn(console, 'error').mockImplementation(log)
    vi.spyOn(console, 'warn').mockImplementation(() => undefined)
    log.mockClear()
    client = new QueryClient()
    renderPage = () => 'The insights'
    load = () => undefined
    const layout = createRootRoute({
      component: () => (
        <>
          <nav>
            <Link to="/">Inbox</Link>
            <Link to="/insights">Insights</Link>
          </nav>
          <Outlet />
        </>
      ),
    })
    const inbox = createRoute({ getParentRoute: () => layout, path: '/', component: () => 'The inbox' })
    const insights = createRoute({
      getParentRoute: () => layout,
      path: '/insights',
      beforeLoad: () => load(),
      component: () => renderPage(),
    })
    const router = createRouter({
      routeTree: layout.addChildren([inbox, insights]),
      history: createMemoryHistory(),
      defaultErrorComponent: PageError,
    })
    box = document.body.appendChild(document.createElement('div'))
    root = createRoot(box)
    await act(async () =>
      root.render(
        <QueryClientProvider client={client}>
          <RouterProvider router={router as never} />
        </QueryClientProvider>,
      ),
    )
  })

  afterEach(() => {
    act(() => root.unmount())
    box.remove()
    vi.restoreAllMocks()
    vi.unstubAllGlobals()
  })

  const click = (text: string) =>
    act(async () =>
      [...box.querySelectorAll<HTMLElement>('a, button')].find(each => each.textContent === text)?.click(),
    )
  const hasText = (text: string) => vi.waitFor(() => expect(box.textContent).toContain(text))

  function breakPage() {
    renderPage = () => {
      throw new TypeError('undefined is not a function')
    }
  }

  it('shows an error in its place, without details, and reports it once', async () => {
    breakPage()
    await click('Insights')
    await hasText("Couldn't load this page")
    expect(box.textContent).toContain('Inbox')
    expect(box.textContent).not.toContain('undefined is not a function')
    expect(log.mock.calls.filter(call => String(call).includes('undefined is not a function'))).toHaveLength(
      1,
    )
  })

  it('is left by going to another page', async () => {
    breakPage()
    await click('Insights')
    await hasText("Couldn't load this page")
    await click('Inbox')
    await hasText('The inbox')
    renderPage = () => 'The insights'
    await click('Insights')
    await hasText('The insights')
  })

  it('is rendered again by "Try again", from new data', async () => {
    breakPage()
    await click('Insights')
    await hasText("Couldn't load this page")
    client.setQueryData(['insights'], {})
    renderPage = () => `The insights ${client.getQueryData(['insights'])}`
    await click('Try again')
    await hasText('The insights undefined')
  })

  it('is loaded again by "Try again" if the service refused it, and says why', async () => {
    load = () => {
      throw new ApiError(503, { code: 'unavailable', detail: 'Back soon.' })
    }
    await click('Insights')
    await hasText('Back soon.')
    load = () => undefined
    await click('Try again')
    await hasText('The insights')
  })
})

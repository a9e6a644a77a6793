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
import { render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { ApiError } from '@/api/client'
import { PageError } from './page-error'

describe('a page that fails', () => {
  let client: QueryClient
  let renderPage: () => string
  let load: () => void
  const log = vi.fn()

  beforeEach(() => {
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
    render(
      <QueryClientProvider client={client}>
        <RouterProvider router={router as never} />
      </QueryClientProvider>,
    )
  })

  afterEach(() => {
    vi.restoreAllMocks()
    vi.unstubAllGlobals()
  })

  const click = async (text: string) => userEvent.click(await screen.findByText(text))
  const hasText = (text: string) => screen.findByText(text, { exact: false })

  function breakPage() {
    renderPage = () => {
      throw new TypeError('undefined is not a function')
    }
  }

  it('shows an error in its place, without details, and reports it once', async () => {
    breakPage()
    await click('Insights')
    await hasText("Couldn't load this page")
    expect(document.body.textContent).toContain('Inbox')
    expect(document.body.textContent).not.toContain('undefined is not a function')
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

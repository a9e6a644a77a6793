// @vitest-environment jsdom
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { EXPECTED_USER, SignInGuard } from './sign-in-guard'

const ADA = { userId: 'usr_ada', email: 'ada@example.com', name: 'Ada' }

const answer = (status: number, code?: string) =>
  new Response(JSON.stringify(code ? { code } : {}), { status })
const ENDED = () => answer(401, 'unauthenticated')

const settled = () => new Promise(resolve => setTimeout(resolve))

describe('requests of a page', () => {
  const send = vi.fn<(request: Request) => Promise<Response>>()
  const onReplaced = vi.fn()
  let page: SignInGuard
  const put = (more: RequestInit = {}) =>
    page.fetch(new Request('https://signoff.test/api/v1/things', { method: 'PUT', body: 'Hello', ...more }))

  beforeEach(() => {
    vi.resetAllMocks()
    page = new SignInGuard(send, onReplaced)
    send.mockImplementation(async () => answer(200))
  })

  it('say whose they are once somebody has signed in', async () => {
    await put()
    expect(send.mock.lastCall?.[0].headers.get(EXPECTED_USER)).toBeNull()
    page.setUser(ADA)
    await put()
    expect(send.mock.lastCall?.[0].headers.get(EXPECTED_USER)).toBe('usr_ada')
  })

  it('get their 401 while nobody has signed in', async () => {
    send.mockImplementation(async () => ENDED())
    expect((await put()).status).toBe(401)
    expect(page.state.status).toBe('none')
  })

  it('wait for the same person, and are repeated once with what they had', async () => {
    page.setUser(ADA)
    send.mockImplementationOnce(async () => ENDED())
    const waiting = put()
    const later = put({ body: 'Later' })
    await vi.waitFor(() => expect(page.state.status).toBe('ended'))
    const sentBefore = send.mock.calls.length
    const third = put({ body: 'Third' })
    await settled()
    expect(send).toHaveBeenCalledTimes(sentBefore)
    page.handleSignIn('usr_ada')
    expect((await waiting).status).toBe(200)
    await Promise.all([later, third])
    const bodies = await Promise.all(send.mock.calls.map(([request]) => request.text()))
    expect(bodies.filter(body => body === 'Hello')).toHaveLength(2)
    expect(bodies.filter(body => body === 'Third')).toHaveLength(1)
    expect(page.state).toMatchObject({ status: 'current', renewals: 1 })
  })

  it('are never sent once someone else has signed in', async () => {
    page.setUser(ADA)
    send.mockImplementationOnce(async () => ENDED())
    const done = vi.fn()
    void put().finally(done)
    await vi.waitFor(() => expect(page.state.status).toBe('ended'))
    page.handleSignIn('usr_bob')
    page.handleSignIn('usr_ada')
    void put().finally(done)
    void put({ keepalive: true }).finally(done)
    await settled()
    expect(send).toHaveBeenCalledOnce()
    expect(onReplaced).toHaveBeenCalledOnce()
    expect(done).not.toHaveBeenCalled()
  })

  it('are not sent again if the service knows that someone else has signed in', async () => {
    page.setUser(ADA)
    send.mockImplementation(async () => answer(401, 'other_user'))
    void put()
    await vi.waitFor(() => expect(onReplaced).toHaveBeenCalledOnce())
    await settled()
    expect(send).toHaveBeenCalledOnce()
  })

  it('can be broken off while they wait', async () => {
    page.setUser(ADA)
    send.mockImplementation(async () => ENDED())
    const breaking = new AbortController()
    const waiting = put({ signal: breaking.signal })
    await vi.waitFor(() => expect(page.state.status).toBe('ended'))
    breaking.abort()
    await expect(waiting).rejects.toThrow(/abort/i)
  })

  it('do not wait if they are about signing in, or the page is about to close', async () => {
    page.setUser(ADA)
    page.handleUnauthorized('unauthenticated')
    send.mockImplementation(async () => ENDED())
    const login = new Request('https://signoff.test/api/v1/auth/login', { method: 'POST', body: '{}' })
    expect((await page.fetch(login)).status).toBe(401)
    expect((await put({ keepalive: true })).status).toBe(401)
  })
})

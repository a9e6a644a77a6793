/**
 * Whose page this is. A sign-in can end while somebody works: requests then wait until the same person has signed in again,
 * and are repeated. The service refuses such a request before it does anything, so each takes effect once. If someone else
 * signs in to this browser, the page sends nothing more and is loaded again as theirs.
 */

import { useSyncExternalStore } from 'react'
import { leavePage } from '@/lib/page-exit'
import { setTabUser } from '@/lib/tab-storage'

export type PageUser = { userId: string; email: string; name: string }

export type SignInState = {
  pageUser: PageUser | null
  /** `none`: nobody has signed in. `ended`: the owner has to sign in again. `replaced`: someone else has signed in. */
  status: 'none' | 'current' | 'ended' | 'replaced'
  /** How often the owner has signed in again. */
  renewals: number
}

/** Has the service refuse a request of this page that would be made as someone else: pages of a browser share a cookie. */
export const EXPECTED_USER = 'x-expected-user'
const OTHER_USER = 'other_user'

/** These say who somebody is, or that they go: nobody has to be signed in for them. */
const PUBLIC_AUTH_PATHS = /\/auth\/(login|logout|link|linkInfo|methods|forgotPassword)$/

type Send = (request: Request) => Promise<Response>

export class SignInGuard {
  state: SignInState = { pageUser: null, status: 'none', renewals: 0 }
  readonly #send: Send
  readonly #onReplaced: () => void
  readonly #listeners = new Set<() => void>()

  constructor(send: Send, onReplaced: () => void) {
    this.#send = send
    this.#onReplaced = onReplaced
  }

  subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => {
      this.#listeners.delete(listener)
    }
  }

  /** Says who has signed in. The first one has the page for as long as it lives. */
  setUser(owner: PageUser): void {
    if (this.state.pageUser === null) this.#set({ pageUser: owner, status: 'current' })
    else this.handleSignIn(owner.userId)
  }

  /** Somebody has signed in to this browser, here or in another tab. */
  handleSignIn(userId: string): void {
    const { pageUser, status, renewals } = this.state
    if (pageUser === null || status === 'replaced') return
    if (pageUser.userId !== userId) this.#replace()
    else if (status === 'ended') this.#set({ status: 'current', renewals: renewals + 1 })
  }

  /** The service refused a request of this page with a 401. */
  handleUnauthorized(code: unknown): void {
    if (code === OTHER_USER) this.#replace()
    else if (this.state.status === 'current') this.#set({ status: 'ended' })
  }

  /** Resolves unless the owner has to sign in again. Once the page is someone else's it never does: nothing may be sent any more. */
  waitUntilSignedIn(signal?: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const settle = () => {
        if (signal?.aborted) reject(signal.reason)
        else if (this.state.status === 'ended' || this.state.status === 'replaced') return
        else resolve()
        stop()
        signal?.removeEventListener('abort', settle)
      }
      const stop = this.subscribe(settle)
      signal?.addEventListener('abort', settle)
      settle()
    })
  }

  /** Sends a request as the owner; waits and repeats it if their sign-in has ended. */
  fetch = async (request: Request): Promise<Response> => {
    const { pageUser } = this.state
    if (pageUser === null || PUBLIC_AUTH_PATHS.test(new URL(request.url).pathname)) return this.#send(request)
    request.headers.set(EXPECTED_USER, pageUser.userId)
    // The page is about to close and doesn't stay to wait.
    if (request.keepalive && this.state.status !== 'replaced') return this.#send(request)
    for (;;) {
      await this.waitUntilSignedIn(request.signal)
      const response = await this.#send(request.clone())
      if (response.status !== 401) return response
      const problem: unknown = await response.json().catch(() => null)
      this.handleUnauthorized((problem as { code?: unknown } | null)?.code)
    }
  }

  #replace() {
    if (this.state.status === 'replaced') return
    this.#set({ status: 'replaced' })
    this.#onReplaced()
  }

  #set(change: Partial<SignInState>) {
    this.state = { ...this.state, ...change }
    for (const listener of [...this.#listeners]) listener()
  }
}

function reloadAsNewUser(): void {
  const here = new URL(location.href)
  // An address that differs in nothing but this would not be loaded.
  here.hash = ''
  leavePage(here)
}

export const signInGuard = new SignInGuard(request => fetch(request), reloadAsNewUser)

/** The signed-in person has this page, and what its tab keeps is theirs. */
export function claimPage(owner: PageUser): void {
  signInGuard.setUser(owner)
  setTabUser(owner.userId)
}

export const useSignInState = (): SignInState =>
  useSyncExternalStore(signInGuard.subscribe, () => signInGuard.state)

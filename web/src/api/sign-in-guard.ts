/**
 * Which member a page belongs to. If a sign-in ends while the member works, requests wait until the same member has
 * signed in again, and are then repeated. The service refuses such a request before it does anything, so each takes
 * effect once. If someone else signs in in this browser, the page sends nothing more and reloads as theirs.
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

/**
 * Makes the service refuse a request from this page that would run as someone else: all tabs of a browser share a
 * cookie.
 */
export const EXPECTED_USER = 'x-expected-user'
const OTHER_USER = 'other_user'

/** Sign-in and sign-out requests work without a signed-in member. */
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

  /** Sets the signed-in member. The first one owns the page for as long as it lives. */
  setUser(owner: PageUser): void {
    if (this.state.pageUser === null) this.#set({ pageUser: owner, status: 'current' })
    else this.handleSignIn(owner.userId)
  }

  /** Someone has signed in in this browser, in this tab or in another one. */
  handleSignIn(userId: string): void {
    const { pageUser, status, renewals } = this.state
    if (pageUser === null || status === 'replaced') return
    if (pageUser.userId !== userId) this.#replace()
    else if (status === 'ended') this.#set({ status: 'current', renewals: renewals + 1 })
  }

  /** The service refused a request from this page with a 401. */
  handleUnauthorized(code: unknown): void {
    if (code === OTHER_USER) this.#replace()
    else if (this.state.status === 'current') this.#set({ status: 'ended' })
  }

  /**
   * Resolves unless the owner has to sign in again. Once the page belongs to someone else, it never resolves: nothing
   * may be sent any more.
   */
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
    // A closing page can't wait.
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
  // A URL that differs only in its fragment wouldn't reload the page.
  here.hash = ''
  leavePage(here)
}

export const signInGuard = new SignInGuard(request => fetch(request), reloadAsNewUser)

/** Gives the page, and what its tab stores, to the signed-in member. */
export function claimPage(owner: PageUser): void {
  signInGuard.setUser(owner)
  setTabUser(owner.userId)
}

export const useSignInState = (): SignInState =>
  useSyncExternalStore(signInGuard.subscribe, () => signInGuard.state)

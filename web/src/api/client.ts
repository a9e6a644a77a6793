import { t } from '@lingui/core/macro'
import createClient, { type Middleware } from 'openapi-fetch'
import { i18n } from '@/lib/i18n'
import type { components, paths } from './schema'
import { signInGuard } from './sign-in-guard'

/** The base path of the service, which may be below a proxy's path. */
export const BASE_PATH = new URL('.', document.baseURI).pathname
export const API = `${BASE_PATH}api/v1`

export type Schemas = components['schemas']

export type ErrorDetail = { path: string; code: string; message: string }

/** An error's texts in the language of the page; its other texts are English. */
type LocalizedTexts = { title?: string; detail?: string; errors?: readonly string[] }

/** An error response, with everything the service said about it. */
export class ApiError extends Error {
  override readonly name = 'ApiError'
  readonly status: number
  /** Stable and in snake_case; `network` if there was no response. */
  readonly code: string
  readonly errors: readonly ErrorDetail[]
  readonly problem: Readonly<Record<string, unknown>>

  constructor(status: number, problem: Record<string, unknown>) {
    const localized = (problem.localized ?? {}) as LocalizedTexts
    super(getErrorMessage(status, { ...problem, ...localized }))
    this.status = status
    this.code = String(problem.code ?? 'unknown')
    const details = Array.isArray(problem.errors) ? (problem.errors as ErrorDetail[]) : []
    this.errors = details.map((detail, index) => ({
      ...detail,
      message: localized.errors?.[index] ?? detail.message,
    }))
    this.problem = problem
  }
}

export const isStatus = (error: unknown, status: number): error is ApiError =>
  error instanceof ApiError && error.status === status

function getErrorMessage(status: number, { detail, title }: Record<string, unknown>): string {
  // Over HTTP/2, a response without a problem document has an empty title.
  for (const text of [detail, title]) if (typeof text === 'string' && text) return text
  return status > 0
    ? t`Something went wrong. Try again.`
    : t`Can't reach the server. Check your connection and try again.`
}

export async function parseApiError(response: Response): Promise<ApiError> {
  const body: unknown = await response.json().catch(() => null)
  const problem = typeof body === 'object' && body !== null ? (body as Record<string, unknown>) : {}
  const retryAfter = parseRetryAfter(response.headers.get('retry-after'))
  return new ApiError(response.status, {
    title: response.statusText,
    ...problem,
    ...(retryAfter !== null && { retryAfter }),
  })
}

/** `Retry-After` is a number of seconds or a date. */
function parseRetryAfter(retryAfter: string | null): number | null {
  if (retryAfter === null) return null
  const seconds = Number(retryAfter)
  const wait = Number.isFinite(seconds) ? seconds : (Date.parse(retryAfter) - Date.now()) / 1_000
  return Number.isFinite(wait) ? Math.max(0, wait) : null
}

/** What every client of the service does: throws errors, in the language of the page. */
export const throwApiErrors: Middleware = {
  onRequest({ request }) {
    request.headers.set('accept-language', i18n.locale)
  },
  async onResponse({ response }) {
    if (!response.ok) throw await parseApiError(response)
  },
  onError({ error }) {
    if (error instanceof ApiError) return error
    if (error instanceof DOMException && error.name === 'AbortError') return error
    return new ApiError(0, { code: 'network' })
  },
}

/**
 * The public API, typed by its OpenAPI document. Every call resolves with data or rejects with an `ApiError`; a call
 * whose sign-in has ended waits for the next sign-in.
 */
export const api = createClient<paths>({ baseUrl: API, credentials: 'same-origin', fetch: signInGuard.fetch })
api.use(throwApiErrors)

/** The data of a call, which has thrown already if it failed. */
export async function data<T>(call: Promise<{ data?: T }>): Promise<NonNullable<T>> {
  return (await call).data as NonNullable<T>
}

/** A part of a response in the language of the page, if the service has translated it. */
export const inPageLanguage = <T extends { localized?: Record<string, string | string[]> }>(
  answer: T,
): T => ({
  ...answer,
  ...answer.localized,
})

import { API, ApiError, problemOf } from '../client'

/** One call about review types. Definitions are written by hand in the editor, so their faults are the service's to name. */
export async function call<T>(
  method: string,
  path: string,
  body?: unknown,
  signal?: AbortSignal,
): Promise<T> {
  const answer = await answerOf(method, path, body, signal)
  return (answer.status === 204 ? undefined : await answer.json()) as T
}

export async function callForText(path: string, signal?: AbortSignal): Promise<string> {
  return (await answerOf('GET', path, undefined, signal)).text()
}

async function answerOf(
  method: string,
  path: string,
  body: unknown,
  signal?: AbortSignal,
): Promise<Response> {
  const answer = await fetch(`${API}${path}`, {
    method,
    credentials: 'same-origin',
    signal,
    ...(body !== undefined && {
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    }),
  }).catch((error: unknown) => {
    if (error instanceof DOMException && error.name === 'AbortError') throw error
    throw new ApiError(0, {
      code: 'network',
      detail: 'The service could not be reached. Check your connection; nothing was lost.',
    })
  })
  if (!answer.ok) throw await problemOf(answer)
  return answer
}

/** Uploads with progress, which `fetch` can't report. */

import { t } from '@lingui/core/macro'
import { i18n } from '@/lib/i18n'
import { blockReloads } from '@/lib/page-exit'
import { API, ApiError, isStatus, type Schemas } from './client'
import { EXPECTED_USER, signInGuard } from './sign-in-guard'

export type UploadedFile = Schemas['UploadedFile']

let running = 0
blockReloads(() => running > 0)

/** Uploads an image or a video and returns its URL, which can be a field's value. */
export const uploadFile = async (file: File): Promise<string> => (await uploadWithProgress(file)).downloadURL

/** Uploads an image or a video. `onProgress` gets the sent fraction, from 0 to 1. */
export async function uploadWithProgress(
  file: File,
  onProgress: (part: number) => void = () => undefined,
  signal?: AbortSignal,
): Promise<UploadedFile> {
  running += 1
  try {
    return await sendAsOwner(file, onProgress, signal)
  } finally {
    running -= 1
  }
}

async function sendAsOwner(
  file: File,
  onProgress: (part: number) => void,
  signal: AbortSignal | undefined,
): Promise<UploadedFile> {
  for (;;) {
    await signInGuard.waitUntilSignedIn(signal)
    try {
      return await sendFile(file, onProgress, signal)
    } catch (error) {
      if (!isStatus(error, 401) || signInGuard.state.pageUser === null) throw error
      signInGuard.handleUnauthorized(error.code)
    }
  }
}

function sendFile(
  file: File,
  onProgress: (part: number) => void,
  signal: AbortSignal | undefined,
): Promise<UploadedFile> {
  const form = new FormData()
  form.append('file', file, file.name)
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest()
    request.open('POST', `${API}/uploadFiles`)
    request.responseType = 'json'
    request.setRequestHeader('accept-language', i18n.locale)
    const { pageUser } = signInGuard.state
    if (pageUser) request.setRequestHeader(EXPECTED_USER, pageUser.userId)
    request.upload.onprogress = ({ loaded, total }) => onProgress(total > 0 ? loaded / total : 0)
    request.onload = () => {
      const answer = (request.response ?? {}) as { files?: UploadedFile[] } & Record<string, unknown>
      const stored = answer.files?.[0]
      if (request.status < 400 && stored) resolve(stored)
      else reject(new ApiError(request.status, answer))
    }
    request.onerror = () =>
      reject(new ApiError(0, { code: 'network', detail: t`Connection lost. Try again.` }))
    request.onabort = () => reject(new DOMException('The upload was stopped.', 'AbortError'))
    signal?.addEventListener('abort', () => request.abort())
    request.send(form)
  })
}

import { t } from '@lingui/core/macro'
import { useCallback, useEffect, useRef, useState } from 'react'
import { ApiError } from '@/api/client'
import type { AttachedFile } from '@/api/outgoing-messages'
import { uploadWithProgress } from '@/api/uploads'
import { randomId } from '@/lib/random'

export const MAX_ATTACHMENTS = 20

export type Upload = {
  id: string
  name: string
  size: number
  /** A fraction from 0 to 1. */
  part: number
  state: 'uploading' | 'failed'
  error?: string
  file: File
}

/** By place: the names of files that were being uploaded when the member left. */
const isAborted = new Map<string, readonly string[]>()

/**
 * Files that are being uploaded; each is handed on when it's stored. Leaving the page cancels them, and the member sees
 * which files weren't attached when they come back.
 */
export function useUploads(place: string, onStored: (attached: AttachedFile) => void) {
  const [uploads, setUploads] = useState<readonly Upload[]>([])
  const [missing] = useState(() => isAborted.get(place) ?? [])
  const latest = useRef(uploads)
  latest.current = uploads
  const stops = useRef(new Map<string, AbortController>())
  const stored = useRef(onStored)
  stored.current = onStored

  const change = useCallback(
    (id: string, step: (upload: Upload) => Upload) =>
      setUploads(all => all.map(each => (each.id === id ? step(each) : each))),
    [],
  )
  const remove = useCallback((id: string) => {
    stops.current.get(id)?.abort()
    stops.current.delete(id)
    setUploads(all => all.filter(each => each.id !== id))
  }, [])

  const upload = useCallback(
    async (id: string, file: File, stop: AbortController) => {
      if (stop.signal.aborted) return
      try {
        const { downloadURL, contentType, size } = await uploadWithProgress(
          file,
          part => change(id, each => ({ ...each, part })),
          stop.signal,
        )
        remove(id)
        stored.current({ url: downloadURL, name: getFileName(file), contentType, size })
      } catch (error) {
        if (stop.signal.aborted) return
        if (!(error instanceof ApiError)) throw error
        const reason = error.errors[0]?.message ?? error.message
        change(id, each => ({ ...each, state: 'failed', error: reason }))
      }
    },
    [change, remove],
  )

  // One after the other, so that the message keeps the chosen order.
  const queue = useRef(Promise.resolve())
  const start = useCallback(
    (id: string, file: File) => {
      const stop = new AbortController()
      stops.current.set(id, stop)
      queue.current = queue.current.then(() => upload(id, file, stop))
    },
    [upload],
  )

  const add = useCallback(
    (files: readonly File[]) => {
      for (const file of files) {
        const id = randomId()
        const chosen: Upload = {
          id,
          name: getFileName(file),
          size: file.size,
          part: 0,
          state: 'uploading',
          file,
        }
        if (isCurrent(file)) {
          setUploads(all => [...all, chosen])
          start(id, file)
        } else
          setUploads(all => [
            ...all,
            { ...chosen, state: 'failed', error: t`You can attach only images and videos.` },
          ])
      }
    },
    [start],
  )
  const retry = useCallback(
    ({ id, file }: Upload) => {
      change(id, each => ({ ...each, state: 'uploading', part: 0 }))
      start(id, file)
    },
    [change, start],
  )

  useEffect(() => {
    // The member has been notified.
    isAborted.delete(place)
    return () => {
      const names = latest.current.filter(each => each.state === 'uploading').map(each => each.name)
      if (names.length > 0) isAborted.set(place, names)
      for (const stop of stops.current.values()) stop.abort()
    }
  }, [place])
  return { uploads, missing, add, remove, retry }
}

/** A file without a type may still be media; the service checks its content. */
const isCurrent = (file: File): boolean => file.type === '' || /^(image|video)\//.test(file.type)

/** Files from the clipboard often have no name. */
const getFileName = (file: File): string => (file.name || 'image').slice(0, 200)

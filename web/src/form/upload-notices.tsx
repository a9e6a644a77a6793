import { useSyncExternalStore } from 'react'
import { useApprovalNotice } from './approval-notices'
import type { Upload, Uploads } from './uploads'

/** A decision waits for uploads; one that failed has to be confirmed, since the value before it would be sent. */
export function UploadNotices({ uploads }: { uploads: Uploads }) {
  const all = [...useSyncExternalStore(uploads.subscribe, uploads.current)]
  const running = all.filter(([, { error }]) => error === null)
  const failed = all.filter(([, { error }]) => error !== null)
  useApprovalNotice(
    running.length > 0 ? { level: 'wait', text: uploading(running.map(each => each[1])) } : null,
  )
  const [first] = failed
  useApprovalNotice(
    first
      ? {
          level: 'confirm',
          text: notUploaded(failed.map(each => each[1])),
          show: () => document.getElementById(first[0])?.focus(),
        }
      : null,
  )
  return null
}

const uploading = ([first, ...others]: readonly Upload[]): string =>
  others.length === 0 ? `Uploading ${first?.file}…` : `Uploading ${others.length + 1} files…`

export function notUploaded([first, ...others]: readonly Upload[]): string {
  if (others.length > 0)
    return `Couldn't upload ${others.length + 1} files. Their fields keep their previous values`
  const reason = first?.error ? `: ${first.error.replace(/\.$/, '')}` : ''
  return `Couldn't upload ${first?.file}${reason}. The field keeps its previous value`
}

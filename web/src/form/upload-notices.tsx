import { plural, t } from '@lingui/core/macro'
import { useSyncExternalStore } from 'react'
import { useApprovalNotice } from './approval-notices'
import type { Upload, Uploads } from './uploads'

/** A decision waits for uploads; a failed upload has to be confirmed, because the previous value would be sent. */
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

function uploading(running: readonly Upload[]): string {
  const count = running.length
  const file = running[0]?.file ?? ''
  return count === 1
    ? t`Uploading ${file}…`
    : t`Uploading ${plural(count, { one: '# file', other: '# files' })}…`
}

export function notUploaded(failed: readonly Upload[]): string {
  const count = failed.length
  if (count > 1)
    return t`${plural(count, {
      one: "Couldn't upload # file. The field keeps its previous value.",
      other: "Couldn't upload # files. The fields keep their previous values.",
    })}`
  const file = failed[0]?.file ?? ''
  // The sentence continues after the reason.
  const reason = failed[0]?.error?.replace(/[.。]$/, '')
  return reason
    ? t`Couldn't upload ${file}: ${reason}. The field keeps its previous value.`
    : t`Couldn't upload ${file}. The field keeps its previous value.`
}

import { t } from '@lingui/core/macro'
import { File as FileIcon } from 'lucide-react'
import type { AttachedFile } from '@/api/outgoing-messages'
import { getLocation, getOwnUrl } from '@/form/media-source'
import { formatFileSize } from './names'

/** The images and videos of a message, each in a box whose size is known before it loads. */
export function Attachments({ attachments }: { attachments: readonly AttachedFile[] }) {
  if (attachments.length === 0) return null
  return (
    <ul aria-label={t`Attachments`} className="mt-1.5 flex flex-wrap gap-2">
      {attachments.map((attachment, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the same file may be attached twice, and the order never changes.
        <li key={index} className="max-w-full">
          <Attachment attachment={attachment} />
        </li>
      ))}
    </ul>
  )
}

const BOX = 'h-44 w-64 max-w-full rounded-lg border border-line bg-sunken'

function Attachment({ attachment }: { attachment: AttachedFile }) {
  const { name, contentType, size } = attachment
  const source = getOwnUrl(attachment.url, {}, getLocation())
  const caption = t`${name}, ${{ size: formatFileSize(size) }}`
  if (source === null)
    return (
      <span className="flex items-center gap-2 rounded-lg border border-line px-3 py-2">
        <FileIcon className="text-muted" />
        <span dir="auto" className="min-w-0 truncate">
          {caption}
        </span>
      </span>
    )
  if (contentType.startsWith('video/'))
    return (
      // biome-ignore lint/a11y/useMediaCaption: agents and members attach what they have.
      <video
        src={source}
        controls
        preload="metadata"
        aria-label={caption}
        className={`${BOX} object-contain`}
      />
    )
  return (
    <a href={source} target="_blank" rel="noopener noreferrer" title={caption} className="block rounded-lg">
      <img src={source} alt={name} loading="lazy" className={`${BOX} object-contain`} />
      <span className="sr-only"> {t`(opens in a new tab)`}</span>
    </a>
  )
}

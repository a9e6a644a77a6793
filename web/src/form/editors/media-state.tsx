import { ImageOff, LoaderCircle } from 'lucide-react'
import { sentence } from '../faults'
import type { MediaSource } from '../media-source'
import { WebLink } from './web-link'

type Props = {
  source: Exclude<MediaSource, { state: 'ready' }>
  address: string
  isNew: boolean
  what: string
}

/** Stands where an image or a video would, as long as there is no copy of it. */
export function MediaState({ source, address, isNew, what }: Props) {
  const isWaiting = source.state === 'waiting'
  return (
    <div className="flex min-h-24 w-full max-w-lg flex-col items-start justify-center gap-1 rounded-md border border-line border-dashed bg-sunken px-4 py-3 text-sm">
      <p className="flex items-center gap-2 font-medium">
        {!isWaiting || isNew ? (
          <ImageOff size={15} aria-hidden="true" className="text-muted" />
        ) : (
          <LoaderCircle size={15} aria-hidden="true" className="animate-spin text-muted" />
        )}
        <span role="status">{titleOf(source, isNew, what)}</span>
      </p>
      {!isWaiting && <p className="text-muted">{sentence(source.message)}</p>}
      <WebLink address={address}>{address.length > 120 ? `${address.slice(0, 120)}…` : address}</WebLink>
    </div>
  )
}

function titleOf({ state }: Props['source'], isNew: boolean, what: string): string {
  if (state === 'failed') return `The ${what} could not be copied`
  if (state === 'later') return `The ${what} stands here`
  return isNew ? `The ${what} is copied once you submit` : 'Copying…'
}

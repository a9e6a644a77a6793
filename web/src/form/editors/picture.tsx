import { t } from '@lingui/core/macro'
import { Maximize2 } from 'lucide-react'
import { Suspense, useState } from 'react'
import { lazyPart } from '@/components/lazy'
import { classes } from '@/lib/classes'
import { useForm } from '../form-context'
import { getLocation, getMediaSource } from '../media-source'
import { MediaState } from './media-state'

const PictureViewer = lazyPart(() => import('./picture-viewer'))

type Props = { address: string; label: string; isNew: boolean; className?: string }

/** An image from our own storage, which opens in full size. */
export function Picture({ address, label, isNew, className }: Props) {
  const { media } = useForm()
  const [open, setOpen] = useState(false)
  const [broken, setBroken] = useState<string | null>(null)
  const source = getMediaSource(address, media, getLocation())
  if (source.state !== 'ready')
    return <MediaState source={source} address={address} isNew={isNew} what="image" />
  if (broken === source.source) {
    return (
      <MediaState
        source={{ state: 'failed', message: t`Your browser couldn't display this image.` }}
        address={address}
        isNew={false}
        what="image"
        canRetry={false}
      />
    )
  }
  return (
    <>
      <button
        type="button"
        className={classes(
          'group/picture relative flex max-w-full items-center justify-center overflow-hidden rounded-md border border-line bg-sunken',
          className ?? 'h-72 max-h-[50dvh] w-full max-w-lg',
        )}
        aria-label={t`Enlarge ${label}`}
        onClick={() => setOpen(true)}
      >
        <img
          src={source.source}
          alt={label}
          loading="lazy"
          decoding="async"
          className="size-full object-contain"
          onError={() => setBroken(source.source)}
        />
        <span className="absolute end-1.5 top-1.5 rounded bg-black/60 p-1 text-white opacity-0 transition-opacity group-hover/picture:opacity-100 group-focus-visible/picture:opacity-100">
          <Maximize2 className="icon-small" />
        </span>
      </button>
      {open && (
        <Suspense fallback={null}>
          <PictureViewer first={address} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  )
}

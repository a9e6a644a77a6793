import { msg, t } from '@lingui/core/macro'
import { ImageOff, LoaderCircle, RotateCw } from 'lucide-react'
import { useState } from 'react'
import { Button } from '@/components/button'
import { i18n, toSentence } from '@/lib/i18n'
import { useForm } from '../form-context'
import type { MediaSource } from '../media-source'
import { WebLink } from './web-link'

type Props = {
  source: Exclude<MediaSource, { state: 'ready' }>
  address: string
  isNew: boolean
  what: 'image' | 'video'
  /** False if there is a copy and something else is wrong. */
  canRetry?: boolean
}

/** Placeholder for an image or a video without a copy. */
export function MediaState({ source, address, isNew, what, canRetry = true }: Props) {
  const isWaiting = source.state === 'waiting'
  return (
    <div className="flex min-h-24 w-full max-w-lg flex-col items-start justify-center gap-1 rounded-md border border-line border-dashed bg-sunken px-4 py-3 text-sm">
      <p className="flex items-center gap-2 font-medium">
        {!isWaiting || isNew ? (
          <ImageOff className="text-muted" />
        ) : (
          <LoaderCircle className="animate-spin text-muted" />
        )}
        <span role="status">{getTitle(source, isNew, what)}</span>
      </p>
      {!isWaiting && (
        <p className="text-muted [overflow-wrap:anywhere]">
          {toSentence(source.message)}
          {source.state === 'retrying' && ` ${t`We'll try again automatically.`}`}
        </p>
      )}
      <WebLink address={address}>{address.length > 120 ? `${address.slice(0, 120)}…` : address}</WebLink>
      {canRetry && (source.state === 'failed' || source.state === 'retrying') && (
        <TryAgain address={address} />
      )}
    </div>
  )
}

function TryAgain({ address }: { address: string }) {
  const { retryMedia } = useForm()
  const [busy, setBusy] = useState(false)
  const [error, setError] = useState<string | null>(null)
  if (retryMedia === undefined) return null
  const retry = async () => {
    setBusy(true)
    setError(null)
    try {
      await retryMedia(address)
    } catch (thrown) {
      setError(thrown instanceof Error ? thrown.message : String(thrown))
    } finally {
      setBusy(false)
    }
  }
  return (
    <div className="mt-1 flex flex-wrap items-center gap-2">
      <Button size="small" icon={<RotateCw />} busy={busy} onClick={retry}>
        {t`Try again`}
      </Button>
      {error && (
        <span role="alert" className="text-bad">
          {error}
        </span>
      )}
    </div>
  )
}

const TITLES = {
  image: {
    failed: msg`Couldn't save a copy of the image`,
    later: msg`The image will appear here`,
    isNew: msg`The image is saved when you submit`,
  },
  video: {
    failed: msg`Couldn't save a copy of the video`,
    later: msg`The video will appear here`,
    isNew: msg`The video is saved when you submit`,
  },
} as const

function getTitle({ state }: Props['source'], isNew: boolean, what: Props['what']): string {
  if (state === 'failed' || state === 'retrying') return i18n._(TITLES[what].failed)
  if (state === 'later') return i18n._(TITLES[what].later)
  return isNew ? i18n._(TITLES[what].isNew) : t`Saving a copy…`
}

/** Where an image or a video may be loaded from: only the service's own storage. */

import { plural, t } from '@lingui/core/macro'
import type { Media } from './types'

export type MediaSource =
  | { state: 'ready'; source: string }
  /** Still being copied, or to be copied after submission. */
  | { state: 'waiting' }
  /** `retrying`: the service retries automatically. */
  | { state: 'failed' | 'retrying'; message: string }
  /** Files aren't copied here. */
  | { state: 'later'; message: string }

export type PageLocation = {
  /** The page's base URL, from `document.baseURI`. */
  base: string
  /** The origin of the storage, if it differs from the page's. */
  cdn?: string
}

export function getMediaSource(address: string, media: Media, here: PageLocation): MediaSource {
  const copy = getOwn(media.fileCache ?? {}, address)
  if (copy !== undefined) return { state: 'ready', source: copy }
  const source = getOwnUrl(address, media, here)
  if (source !== null) return { state: 'ready', source }
  const notice = media.notices?.find(each => each.url === address)
  if (notice !== undefined) return { state: notice.state ?? 'failed', message: notice.message }
  return media.later === undefined ? { state: 'waiting' } : { state: 'later', message: media.later }
}

const getOwn = (record: Record<string, string>, name: string): string | undefined =>
  Object.hasOwn(record, name) ? record[name] : undefined

/** The URL of a stored file or of inline data; null for everything else. */
export function getOwnUrl(address: string, media: Media, here: PageLocation): string | null {
  if (/^data:image\/(png|jpeg|gif|webp|avif|bmp)[;,]/i.test(address)) return address
  const root = new URL('.', here.base)
  // The service may be below a proxy's path; its own URLs start at its own root.
  if (/^\/media\/(?!.*\.\.)/.test(address)) return new URL(address.slice(1), root).href
  const parsed = URL.canParse(address) ? new URL(address) : null
  if (parsed === null) return null
  if (parsed.origin === root.origin && parsed.pathname.startsWith(`${root.pathname}media/`)) return address
  const copies = Object.values(media.fileCache ?? {})
  const origins = [here.cdn, ...copies].flatMap(each =>
    each && URL.canParse(each) ? [new URL(each).origin] : [],
  )
  return parsed.origin !== root.origin && origins.includes(parsed.origin) ? address : null
}

/** The location of this page. The service adds the origin of its storage to the page if it differs. */
export const getLocation = (): PageLocation => ({
  base: document.baseURI,
  cdn: document.querySelector<HTMLMetaElement>('meta[name=media-origin]')?.content || undefined,
})

export const getHost = (address: string): string => (URL.canParse(address) ? new URL(address).host : '')

/** The last segment of a URL's path, as a readable name. */
export function getFileName(address: string): string {
  const path = URL.canParse(address, 'http://x') ? new URL(address, 'http://x').pathname : address
  const last = path.split('/').filter(Boolean).at(-1) ?? address
  try {
    return decodeURIComponent(last)
  } catch {
    return last
  }
}

type Kind = 'image' | 'video'

/** The notice about media that the page can't show; null if it shows everything. */
export function getMediaNotice(
  shown: readonly { address: string; kind: Kind }[],
  media: Media,
  here: PageLocation,
): { text: string; isFailed: boolean } | null {
  const states = new Map(
    shown.map(({ address, kind }) => [address, { kind, state: getMediaSource(address, media, here).state }]),
  )
  const failed = [...states.values()].filter(({ state }) => state === 'failed' || state === 'retrying')
  if (failed.length > 0) return { text: getFailedText(failed), isFailed: true }
  const waiting = [...states.values()].filter(({ state }) => state === 'waiting')
  return waiting.length > 0 ? { text: getWaitingText(waiting), isFailed: false } : null
}

/** Their common kind; `file` if they differ. */
function getCommonKind(missing: readonly { kind: Kind }[]): Kind | 'file' {
  const [only, ...others] = new Set(missing.map(each => each.kind))
  return only === undefined || others.length > 0 ? 'file' : only
}

function getFailedText(missing: readonly { kind: Kind }[]): string {
  const count = missing.length
  switch (getCommonKind(missing)) {
    case 'image':
      return t`${plural(count, { one: '# image', other: '# images' })} couldn't be copied`
    case 'video':
      return t`${plural(count, { one: '# video', other: '# videos' })} couldn't be copied`
    case 'file':
      return t`${plural(count, { one: '# file', other: '# files' })} couldn't be copied`
  }
}

function getWaitingText(missing: readonly { kind: Kind }[]): string {
  const count = missing.length
  switch (getCommonKind(missing)) {
    case 'image':
      return t`${plural(count, { one: '# image', other: '# images' })} not copied yet`
    case 'video':
      return t`${plural(count, { one: '# video', other: '# videos' })} not copied yet`
    case 'file':
      return t`${plural(count, { one: '# file', other: '# files' })} not copied yet`
  }
}

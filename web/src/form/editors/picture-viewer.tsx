import { t } from '@lingui/core/macro'
import { ChevronLeft, ChevronRight, Columns2, Minus, Plus, Scan, X } from 'lucide-react'
import { Dialog } from 'radix-ui'
import { type KeyboardEvent, useRef, useState } from 'react'
import { Button, IconButton } from '@/components/button'
import { NativeSelect } from '@/components/input'
import { formatNumber, formatPercent, isRightToLeft } from '@/lib/i18n'
import { type Picture, useForm } from '../form-context'
import { getLocation, getMediaSource } from '../media-source'
import { FIT, pan, type Zoom, zoomAbout } from '../zoom'
import { ZoomPane } from './zoom-pane'

/** How far an arrow key moves the image, in pixels. If there is nothing to move, left and right go to another image. */
const STEPS: Record<string, readonly [number, number]> = {
  ArrowLeft: [80, 0],
  ArrowRight: [-80, 0],
  ArrowUp: [0, 80],
  ArrowDown: [0, -80],
}

type Shown = Picture & { source: string }

/** The images of a review in full size: one at a time, or two side by side with the same zoom. */
export default function PictureViewer({ first, onClose }: { first: string; onClose: () => void }) {
  const { pictures, media } = useForm()
  const [all] = useState<Shown[]>(() =>
    pictures().flatMap(picture => {
      const found = getMediaSource(picture.address, media, getLocation())
      return found.state === 'ready' ? [{ ...picture, source: found.source }] : []
    }),
  )
  const [at, setAt] = useState(
    Math.max(
      0,
      all.findIndex(picture => picture.address === first),
    ),
  )
  const [beside, setBeside] = useState<number | null>(null)
  const opener = useRef<Element | null>(null)
  const [zoom, setZoom] = useState<Zoom>(FIT)
  const shown = all[at]
  const compared = beside === null ? undefined : all[beside]
  const go = (step: number) => {
    setAt((at + step + all.length) % all.length)
    setZoom(FIT)
  }
  const magnify = (factor: number) => setZoom(before => zoomAbout(before, factor, 0, 0))
  const compare = () => all.length > 1 && setBeside(beside === null ? (at + 1) % all.length : null)
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.target instanceof HTMLSelectElement || event.metaKey || event.ctrlKey || event.altKey) return
    const step = STEPS[event.key]
    if (step !== undefined && (zoom.scale > 1 || step[0] === 0))
      setZoom(before => pan(before, step[0], step[1]))
    else if (step !== undefined) go(step[0] > 0 === isRightToLeft() ? 1 : -1)
    else if (event.key === '+' || event.key === '=') magnify(1.4)
    else if (event.key === '-') magnify(1 / 1.4)
    else if (event.key === '0') setZoom(FIT)
    else if (event.key === 'c') compare()
    else return
    event.preventDefault()
    event.stopPropagation()
  }
  if (shown === undefined) return null
  return (
    <Dialog.Root open onOpenChange={stays => !stays && onClose()}>
      <Dialog.Portal>
        <Dialog.Content
          aria-describedby={undefined}
          onKeyDown={onKeyDown}
          // Focus returns to what opened the viewer.
          onCloseAutoFocus={event => {
            event.preventDefault()
            if (opener.current instanceof HTMLElement) opener.current.focus()
          }}
          // No button gets focus at first: its tooltip would consume the first Escape.
          onOpenAutoFocus={event => {
            event.preventDefault()
            opener.current = document.activeElement
            if (event.currentTarget instanceof HTMLElement) event.currentTarget.focus()
          }}
          className="fixed inset-0 z-50 flex flex-col bg-canvas outline-none"
        >
          <header className="flex flex-wrap items-center gap-x-1 gap-y-2 border-line border-b px-3 py-2">
            <Dialog.Title dir="auto" className="min-w-0 flex-1 truncate font-medium">
              {shown.label}
            </Dialog.Title>
            {all.length > 1 && (
              <>
                <IconButton
                  label={t`Previous image`}
                  keys={isRightToLeft() ? 'ArrowRight' : 'ArrowLeft'}
                  icon={<ChevronLeft />}
                  onClick={() => go(-1)}
                />
                <span className="text-muted text-sm" aria-live="polite">
                  {t`${{ position: formatNumber(at + 1) }} of ${{ total: formatNumber(all.length) }}`}
                </span>
                <IconButton
                  label={t`Next image`}
                  keys={isRightToLeft() ? 'ArrowLeft' : 'ArrowRight'}
                  icon={<ChevronRight />}
                  onClick={() => go(1)}
                />
              </>
            )}
            <IconButton label={t`Zoom out`} keys="-" icon={<Minus />} onClick={() => magnify(1 / 1.4)} />
            <span className="w-12 text-center text-muted text-sm">{formatPercent(zoom.scale)}</span>
            <IconButton label={t`Zoom in`} keys="+" icon={<Plus />} onClick={() => magnify(1.4)} />
            <IconButton label={t`Fit to window`} keys="0" icon={<Scan />} onClick={() => setZoom(FIT)} />
            {all.length > 1 && (
              <Button
                kind="quiet"
                keys="c"
                icon={<Columns2 />}
                aria-pressed={beside !== null}
                onClick={compare}
              >
                {t`Compare`}
              </Button>
            )}
            <Dialog.Close asChild>
              <IconButton label={t`Close`} keys="Escape" icon={<X />} />
            </Dialog.Close>
          </header>
          <div className="flex min-h-0 flex-1 gap-px bg-line max-md:flex-col">
            <Pane
              all={all}
              at={at}
              onPick={beside === null ? undefined : setAt}
              zoom={zoom}
              onZoom={setZoom}
            />
            {compared !== undefined && beside !== null && (
              <Pane all={all} at={beside} onPick={setBeside} zoom={zoom} onZoom={setZoom} />
            )}
          </div>
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  )
}

type PaneProps = {
  all: readonly Shown[]
  at: number
  onPick?: (index: number) => void
  zoom: Zoom
  onZoom: (change: (zoom: Zoom) => Zoom) => void
}

function Pane({ all, at, onPick, zoom, onZoom }: PaneProps) {
  const shown = all[at]
  if (shown === undefined) return null
  return (
    <div className="flex min-h-0 min-w-0 flex-1 flex-col bg-sunken">
      {onPick !== undefined && (
        <div className="p-2">
          <NativeSelect
            aria-label={t`Image to compare`}
            value={at}
            onChange={event => onPick(Number(event.target.value))}
          >
            {all.map((picture, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: the same image may be in several fields.
              <option key={index} value={index}>
                {t`${{ position: formatNumber(index + 1) }}. ${{ label: picture.label }}`}
              </option>
            ))}
          </NativeSelect>
        </div>
      )}
      <ZoomPane source={shown.source} label={shown.label} zoom={zoom} onZoom={onZoom} />
    </div>
  )
}

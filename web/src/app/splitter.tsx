import type { KeyboardEvent, PointerEvent } from 'react'
import { isRightToLeft } from '@/lib/i18n'

type Props = {
  width: number
  onWidth: (width: number) => void
  min: number
  max: number
  label: string
}

const STEP = 16

/** The divider between two panes, moved by dragging or with the arrow keys. */
export function Splitter({ width, onWidth, min, max, label }: Props) {
  const set = (wanted: number) => onWidth(Math.round(Math.min(max, Math.max(min, wanted))))
  // The pane before the divider grows to the right, unless it's on the right.
  const forward = isRightToLeft() ? -1 : 1
  const onKeyDown = (event: KeyboardEvent) => {
    const wanted = {
      ArrowLeft: width - STEP * forward,
      ArrowRight: width + STEP * forward,
      Home: min,
      End: max,
    }[event.key]
    if (wanted === undefined) return
    event.preventDefault()
    set(wanted)
  }
  const onPointerDown = (event: PointerEvent<HTMLElement>) => {
    if (event.button !== 0) return
    event.preventDefault()
    const line = event.currentTarget
    const from = event.clientX
    line.setPointerCapture(event.pointerId)
    const move = (moved: globalThis.PointerEvent) => set(width + (moved.clientX - from) * forward)
    const end = () => {
      line.removeEventListener('pointermove', move)
      line.removeEventListener('lostpointercapture', end)
    }
    line.addEventListener('pointermove', move)
    line.addEventListener('lostpointercapture', end)
  }
  return (
    // biome-ignore lint/a11y/useSemanticElements: a movable divider is more than a rule between paragraphs.
    <div
      role="separator"
      aria-orientation="vertical"
      aria-label={label}
      aria-valuenow={width}
      aria-valuemin={min}
      aria-valuemax={max}
      tabIndex={0}
      onKeyDown={onKeyDown}
      onPointerDown={onPointerDown}
      className="relative z-10 -mx-1 w-2 shrink-0 cursor-col-resize touch-none select-none before:absolute before:inset-y-0 before:start-1/2 before:w-px before:bg-line hover:before:w-0.5 hover:before:bg-accent focus-visible:before:w-0.5 focus-visible:before:bg-accent max-md:hidden"
    />
  )
}

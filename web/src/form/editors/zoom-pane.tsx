import { type PointerEvent, useEffect, useRef } from 'react'
import { pan, type Zoom, zoomAbout } from '../zoom'

type Props = { source: string; label: string; zoom: Zoom; onZoom: (change: (zoom: Zoom) => Zoom) => void }

type Point = { x: number; y: number }

/** An image that can be zoomed and moved by wheel, touch and mouse. */
export function ZoomPane({ source, label, zoom, onZoom }: Props) {
  const pane = useRef<HTMLDivElement>(null)
  const pointers = useRef(new Map<number, Point>())
  const fromMiddle = (x: number, y: number): Point => {
    const box = pane.current?.getBoundingClientRect()
    return box === undefined
      ? { x: 0, y: 0 }
      : { x: x - box.left - box.width / 2, y: y - box.top - box.height / 2 }
  }

  // React registers passive wheel listeners, which can't keep the page behind from scrolling.
  const turned = useRef<(event: WheelEvent) => void>(() => undefined)
  turned.current = event => {
    event.preventDefault()
    const at = fromMiddle(event.clientX, event.clientY)
    onZoom(before => zoomAbout(before, Math.exp(-event.deltaY * (event.ctrlKey ? 0.01 : 0.002)), at.x, at.y))
  }
  useEffect(() => {
    const element = pane.current
    const listener = (event: WheelEvent) => turned.current(event)
    element?.addEventListener('wheel', listener, { passive: false })
    return () => element?.removeEventListener('wheel', listener)
  }, [])

  const down = (event: PointerEvent<HTMLDivElement>) => {
    event.currentTarget.setPointerCapture(event.pointerId)
    pointers.current.set(event.pointerId, { x: event.clientX, y: event.clientY })
  }
  const move = (event: PointerEvent) => {
    const before = pointers.current.get(event.pointerId)
    if (before === undefined) return
    const other = [...pointers.current].find(([id]) => id !== event.pointerId)?.[1]
    const now = { x: event.clientX, y: event.clientY }
    pointers.current.set(event.pointerId, now)
    if (other === undefined) {
      onZoom(current => pan(current, now.x - before.x, now.y - before.y))
      return
    }
    const factor =
      Math.hypot(now.x - other.x, now.y - other.y) /
      Math.max(1, Math.hypot(before.x - other.x, before.y - other.y))
    const at = fromMiddle((now.x + other.x) / 2, (now.y + other.y) / 2)
    onZoom(current => zoomAbout(current, factor, at.x, at.y))
  }
  const up = (event: PointerEvent) => {
    pointers.current.delete(event.pointerId)
  }

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the viewer's buttons and keys do the same.
    <div
      ref={pane}
      className="relative min-h-0 min-w-0 flex-1 touch-none select-none overflow-hidden"
      style={{ cursor: zoom.scale > 1 ? 'grab' : 'zoom-in' }}
      onPointerDown={down}
      onPointerMove={move}
      onPointerUp={up}
      onPointerCancel={up}
      onDoubleClick={event => {
        const at = fromMiddle(event.clientX, event.clientY)
        onZoom(before => zoomAbout(before, before.scale > 1 ? 0 : 3, at.x, at.y))
      }}
    >
      <img
        src={source}
        alt={label}
        draggable={false}
        className="absolute inset-0 size-full object-contain"
        style={{ transform: `translate(${zoom.x}px, ${zoom.y}px) scale(${zoom.scale})` }}
      />
    </div>
  )
}

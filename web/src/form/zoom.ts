/** The position of an image in its pane: `scale` 1 fits it in, `x` and `y` move its center, in pixels of the pane. */
export type Zoom = { scale: number; x: number; y: number }

export const FIT: Zoom = { scale: 1, x: 0, y: 0 }
const MAX_ZOOM = 40

/** Zooms by a factor around a point, relative to the center of the pane: what is under the point stays there. */
export function zoomAbout(zoom: Zoom, factor: number, x: number, y: number): Zoom {
  const scale = Math.min(Math.max(zoom.scale * factor, 1), MAX_ZOOM)
  if (scale === 1) return FIT
  const grown = scale / zoom.scale
  return { scale, x: x - (x - zoom.x) * grown, y: y - (y - zoom.y) * grown }
}

export const pan = (zoom: Zoom, x: number, y: number): Zoom =>
  zoom.scale === 1 ? zoom : { ...zoom, x: zoom.x + x, y: zoom.y + y }

/** Times as people type them: local date and time, and the zone that the value is written in. */

import { getUtcOffset } from '@/lib/time'

const PARTS = /^(\d{4}-\d{2}-\d{2}T\d{2}:\d{2})(:\d{2})?(\.\d{1,9})?(Z|[+-]\d{2}:\d{2})?$/

export type WallClock = {
  /** As a native input takes it, with seconds only if there are any. */
  wall: string
  /** `Z`, `+02:00`, or empty if the value has none, which means UTC. */
  zone: string
}

export function toWallClock(text: string): WallClock | null {
  const match = PARTS.exec(text)
  if (!match?.[1]) return null
  const seconds = match[2] ?? ''
  return { wall: seconds === ':00' ? match[1] : `${match[1]}${seconds}`, zone: match[4] ?? '' }
}

/**
 * The value for a local time, in the format of `like`: in its zone, and with its exact text if the time is the same.
 * Without one, in the zone of the member.
 */
export function fromWallClock(typed: string, like: string): string {
  if (typed === '') return ''
  const model = toWallClock(like)
  const wall = toWallClock(typed)?.wall ?? typed
  if (model?.wall === wall) return like
  const withSeconds = wall.length > 16 || /T\d{2}:\d{2}(?:Z|[+-]|$)/.test(like) ? wall : `${wall}:00`
  return `${withSeconds}${model === null ? getUtcOffset(wall) : model.zone}`
}

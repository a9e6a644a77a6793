/** How long until something happens by itself, in words that change no more often than they must. */

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

/** `3 d 4 h`, `2 h 10 min`, `45 min`; below a minute and beyond the time in words. Never more than there is. */
export function timeLeft(milliseconds: number): string {
  if (milliseconds <= 0) return 'any moment'
  if (milliseconds < MINUTE) return 'less than a minute'
  if (milliseconds < HOUR) return `${Math.floor(milliseconds / MINUTE)} min`
  const [large, size, small, part] =
    milliseconds < DAY ? (['h', HOUR, 'min', MINUTE] as const) : (['d', DAY, 'h', HOUR] as const)
  const rest = Math.floor((milliseconds % size) / part)
  return `${Math.floor(milliseconds / size)} ${large}${rest > 0 ? ` ${rest} ${small}` : ''}`
}

/** The same in a narrow column: `3d`, `2h`, `45m`, `now`. */
export function shortTimeLeft(milliseconds: number): string {
  if (milliseconds < MINUTE) return 'now'
  if (milliseconds < HOUR) return `${Math.floor(milliseconds / MINUTE)}m`
  return milliseconds < DAY ? `${Math.floor(milliseconds / HOUR)}h` : `${Math.floor(milliseconds / DAY)}d`
}

export type Urgency = 'far' | 'near' | 'urgent'

export function urgency(milliseconds: number): Urgency {
  if (milliseconds <= 15 * MINUTE) return 'urgent'
  return milliseconds <= HOUR ? 'near' : 'far'
}

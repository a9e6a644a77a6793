const UNITS: [Intl.RelativeTimeFormatUnit, number][] = [
  ['year', 31_536_000],
  ['month', 2_592_000],
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
]

/** How long ago, in as few letters as a narrow column has room for: `3d`, `5h`, `now`. */
export function age(from: string | Date, to: Date = new Date()): string {
  const seconds = Math.max(0, (to.getTime() - new Date(from).getTime()) / 1000)
  for (const [unit, size] of UNITS) {
    if (seconds >= size) return `${Math.floor(seconds / size)}${unit === 'month' ? 'mo' : unit[0]}`
  }
  return 'now'
}

const relative = new Intl.RelativeTimeFormat('en', { numeric: 'auto' })

export function ago(from: string | Date, to: Date = new Date()): string {
  const seconds = (new Date(from).getTime() - to.getTime()) / 1000
  for (const [unit, size] of UNITS) {
    if (Math.abs(seconds) >= size) return relative.format(Math.trunc(seconds / size), unit)
  }
  return Math.abs(seconds) < 5 ? 'just now' : relative.format(Math.round(seconds), 'second')
}

const full = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' })

export const moment = (at: string | Date): string => full.format(new Date(at))

/** A span in words short enough for a figure: `45 s`, `12 min`, `3.5 h`, `2 d`. */
export function span(seconds: number): string {
  if (seconds < 90) return `${Math.round(seconds)} s`
  if (seconds < 5_400) return `${Math.round(seconds / 60)} min`
  if (seconds < 172_800) return `${(seconds / 3_600).toFixed(seconds < 36_000 ? 1 : 0)} h`
  return `${(seconds / 86_400).toFixed(seconds < 864_000 ? 1 : 0)} d`
}

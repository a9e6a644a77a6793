const UNITS = ['bytes', 'kB', 'MB', 'GB', 'TB'] as const

/** Bytes as disks and networks count them: a GB is 10^9. */
export function bytes(amount: number): string {
  let unit = 0
  let size = amount
  while (size >= 1000 && unit < UNITS.length - 1) {
    size /= 1000
    unit += 1
  }
  return `${unit === 0 || size >= 100 ? Math.round(size) : size.toFixed(1)} ${UNITS[unit]}`
}

export const count = (amount: number): string => amount.toLocaleString('en')

/** How full a bar is, in per cent. Something is never nothing. */
export function share(used: number, whole: number): number {
  if (whole <= 0) return 0
  const percent = Math.min(100, (used / whole) * 100)
  return used > 0 ? Math.max(1, percent) : 0
}

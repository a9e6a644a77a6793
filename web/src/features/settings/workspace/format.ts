import { formatNumber } from '@/lib/i18n'

const UNITS = ['byte', 'kilobyte', 'megabyte', 'gigabyte', 'terabyte'] as const

/** Formats bytes in decimal units: a GB is 10^9. */
export function formatBytes(amount: number): string {
  let unit = 0
  let size = amount
  while (size >= 1000 && unit < UNITS.length - 1) {
    size /= 1000
    unit += 1
  }
  const digits = unit === 0 || size >= 100 ? 0 : 1
  return formatNumber(size, {
    style: 'unit',
    unit: UNITS[unit],
    unitDisplay: unit === 0 ? 'long' : 'short',
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  })
}

export const formatCount = (amount: number): string => formatNumber(amount)

/** How full a bar is, in percent. A non-zero share never shows as zero. */
export function formatShare(used: number, whole: number): number {
  if (whole <= 0) return 0
  const percent = Math.min(100, (used / whole) * 100)
  return used > 0 ? Math.max(1, percent) : 0
}

import { formatNumber } from '@/lib/i18n'

/** How long a call took: `1,234 ms`. */
export const formatMilliseconds = (count: number): string =>
  formatNumber(count, { style: 'unit', unit: 'millisecond' })

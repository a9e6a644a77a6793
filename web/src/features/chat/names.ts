import type { SessionRow } from '@/api/sessions'
import { formatNumber } from '@/lib/i18n'

/** The title of a chat: its name, or the agent's. */
export const getChatTitle = (session: Pick<SessionRow, 'name' | 'agentName'>): string =>
  session.name ?? session.agentName

/** A readable file size: `840 kB`. */
export function formatFileSize(bytes: number): string {
  if (bytes < 1_000) return formatNumber(bytes, { style: 'unit', unit: 'byte', unitDisplay: 'long' })
  if (bytes < 1_000_000) return formatInUnit(bytes / 1_000, 'kilobyte', 0)
  return formatInUnit(bytes / 1_000_000, 'megabyte', bytes < 10_000_000 ? 1 : 0)
}

const formatInUnit = (value: number, unit: string, digits: number): string =>
  formatNumber(value, {
    style: 'unit',
    unit,
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  })

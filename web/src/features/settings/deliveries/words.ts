import type { DeliveryRow } from '@/api/settings/deliveries'
import type { Tone } from '@/components/status'

export const STATUSES: Record<DeliveryRow['status'], { label: string; tone: Tone }> = {
  pending: { label: 'Pending', tone: 'plain' },
  delivering: { label: 'Delivering', tone: 'accent' },
  succeeded: { label: 'Succeeded', tone: 'good' },
  retrying: { label: 'Retrying', tone: 'warn' },
  dead: { label: 'Dead', tone: 'bad' },
}

export const TARGETS: Record<DeliveryRow['target'], string> = {
  agent: 'Agent',
  tool: 'Tool',
  audit: 'Audit',
}

/** Who ordered an attempt. */
export const ORDERED: Record<string, string> = {
  inline: 'first',
  'cloud-task': 'automatic',
  manual: 'by hand',
}

export const hostOf = (address: string): string => {
  try {
    return new URL(address).host
  } catch {
    return address
  }
}

export const isSettled = (row: Pick<DeliveryRow, 'status'>): boolean =>
  row.status === 'succeeded' || row.status === 'dead'

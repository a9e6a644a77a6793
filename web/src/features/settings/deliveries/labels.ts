import type { MessageDescriptor } from '@lingui/core'
import { msg, t } from '@lingui/core/macro'
import type { Delivery, DeliveryRow } from '@/api/settings/deliveries'
import type { Tone } from '@/components/status'
import { i18n } from '@/lib/i18n'

export const STATUSES: Record<DeliveryRow['status'], { label: MessageDescriptor; tone: Tone }> = {
  pending: { label: msg({ message: 'Queued', context: 'webhook delivery' }), tone: 'plain' },
  delivering: { label: msg({ message: 'Sending', context: 'webhook delivery' }), tone: 'accent' },
  succeeded: { label: msg({ message: 'Delivered', context: 'webhook delivery' }), tone: 'good' },
  retrying: { label: msg({ message: 'Retrying', context: 'webhook delivery' }), tone: 'warn' },
  dead: { label: msg({ message: 'Failed', context: 'webhook delivery' }), tone: 'bad' },
}

export const TARGETS: Record<DeliveryRow['target'], MessageDescriptor> = {
  agent: msg`Agent webhook`,
  tool: msg`Tool webhook`,
  audit: msg`Audit webhook`,
}

/** What started an attempt. */
export const ORDERED: Record<Delivery['attempts'][number]['scheduledBy'], MessageDescriptor> = {
  inline: msg`First attempt`,
  'cloud-task': msg`Automatic retry`,
  manual: msg`Manual retry`,
}

export const getStatusLabel = (row: Pick<DeliveryRow, 'status' | 'retriesCancelled'>): string =>
  row.retriesCancelled
    ? t({ message: 'Canceled', context: 'webhook delivery' })
    : i18n._(STATUSES[row.status].label)

export const getHost = (address: string): string => {
  try {
    return new URL(address).host
  } catch {
    return address
  }
}

export const isSettled = (row: Pick<DeliveryRow, 'status'>): boolean =>
  row.status === 'succeeded' || row.status === 'dead'

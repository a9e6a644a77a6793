import type { MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import { i18n } from '@/lib/i18n'

/** Its label is a message, rendered in the page's language. */
const series = (words: MessageDescriptor, color: string) => ({
  color,
  get label() {
    return i18n._(words)
  },
})

/** One color and one label for each series, the same in every chart. */
export const SERIES = {
  requested: series(msg({ message: 'Requested', context: 'reviews' }), 'var(--requested)'),
  approved: series(msg({ message: 'Approved', context: 'reviews' }), 'var(--approved)'),
  asSuggested: series(msg`Approved as suggested`, 'var(--approved)'),
  edited: series(msg`Approved with edits`, 'var(--edited)'),
  rejected: series(msg({ message: 'Rejected', context: 'reviews' }), 'var(--rejected)'),
  automatic: series(msg({ message: 'Auto-approved', context: 'reviews' }), 'var(--automatic)'),
  median: series(msg`Median`, 'var(--approved)'),
  p90: series(msg`90th percentile`, 'var(--approved)'),
  approvalRate: series(msg`Approval rate`, 'var(--approved)'),
  editRate: series(msg`Edit rate (of approvals)`, 'var(--edited)'),
  succeeded: series(msg`Delivered`, 'var(--approved)'),
  failed: series(msg`Failed or retrying`, 'var(--rejected)'),
}

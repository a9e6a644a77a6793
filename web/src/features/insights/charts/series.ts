import type { MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import { i18n } from '@/lib/i18n'

/** Its label is a message, rendered in the page's language. */
const series = (words: MessageDescriptor, colour: string) => ({
  colour,
  get label() {
    return i18n._(words)
  },
})

/** One color and one label for each series, the same in every chart. */
export const SERIES = {
  requested: series(msg`Requested`, 'var(--requested)'),
  approved: series(msg`Approved`, 'var(--approved)'),
  asSuggested: series(msg`Approved as suggested`, 'var(--approved)'),
  edited: series(msg`Approved with edits`, 'var(--edited)'),
  rejected: series(msg`Rejected`, 'var(--rejected)'),
  automatic: series(msg`Auto-approved`, 'var(--automatic)'),
  median: series(msg`Median`, 'var(--approved)'),
  p90: series(msg`90th percentile`, 'var(--approved)'),
  approvalRate: series(msg`Approval rate`, 'var(--approved)'),
  editRate: series(msg`Edit rate (of approvals)`, 'var(--edited)'),
  succeeded: series(msg`Delivered`, 'var(--approved)'),
  failed: series(msg`Failed or retrying`, 'var(--rejected)'),
}

/** What has happened to a review, in words. */

import type { HistoryEntry, Revision } from '@/api/review'

export type Moment = {
  at: string
  who: string
  what: string
  tone: 'plain' | 'good' | 'bad' | 'warn' | 'accent'
  /** In the person's own words. */
  quote?: string
  /** The fields that it is about; empty for all. */
  fieldIds?: readonly string[]
  /** The content that came with it. */
  revision?: number
}

const WORDS: Record<string, readonly [what: string, tone: Moment['tone']]> = {
  'review.requested': ['asked for the review', 'accent'],
  'review.updated': ['replaced the content', 'accent'],
  'review.approved': ['approved', 'good'],
  'review.rejected': ['rejected', 'bad'],
  'review.submitted': ['submitted', 'good'],
  'review.retry_requested': ['requested changes', 'warn'],
  'delivery.retried': ['ordered another delivery attempt', 'plain'],
  'delivery.cancelled': ['stopped a delivery', 'plain'],
}

/** Oldest first. `agentName`: who stands behind the keys; `reason`: why it was decided so, where the person said it. */
export function timeline(
  entries: readonly HistoryEntry[],
  revisions: readonly Revision[],
  { agentName, reason }: { agentName?: string; reason?: string } = {},
): Moment[] {
  const retries = revisions.flatMap(revision => (revision.retry ? [revision.retry] : []))
  return entries.map(({ at, action, actor, details }) => {
    // What we have no words for yet is named as the log names it.
    const [what, tone] = WORDS[action] ?? [action, 'plain' as const]
    const moment: Moment = { at, who: nameOf(actor, agentName), what, tone }
    if (action === 'review.retry_requested') {
      const retry = retries.shift()
      const said = retry?.instructions ?? details?.instructions
      if (typeof said === 'string') moment.quote = said
      if (retry) moment.fieldIds = retry.fieldIds
    }
    if (action === 'review.requested') moment.revision = 1
    if (action === 'review.updated' && typeof details?.revision === 'number')
      moment.revision = details.revision
    if ((action === 'review.approved' || action === 'review.rejected') && reason) moment.quote = reason
    return moment
  })
}

function nameOf({ kind, name }: HistoryEntry['actor'], agentName = 'The agent'): string {
  if (kind === 'key') return `${agentName} (key ${name})`
  if (kind === 'external') return `${name} (external)`
  return kind === 'system' ? 'Signoff' : name
}

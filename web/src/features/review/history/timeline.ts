/** The history of a review, entry by entry. `HistoryEntryText` turns it into text. */

import { plural, t } from '@lingui/core/macro'
import type { HistoryEntry, Revision } from '@/api/review'

export type TimelineEntry = {
  at: string
  /** The action in the audit log: `review.approved`. */
  action: string
  who: string
  /** What decided it if no person did. */
  automatic?: 'rule' | 'deadline'
  /** The new assignees; empty if there are none. */
  assignees?: readonly string[]
  /** The new deadline. */
  until?: string
  /** Reminded because there was no one to escalate to. */
  insteadOfEscalating?: boolean
  tone: 'plain' | 'good' | 'bad' | 'warn' | 'accent'
  /** The person's own words. */
  quote?: string
  /** The affected fields; empty for all. */
  fieldIds?: readonly string[]
  /** The revision that it created. */
  revision?: number
}

const TONES: Record<string, TimelineEntry['tone']> = {
  'review.requested': 'accent',
  'review.updated': 'accent',
  'review.approved': 'good',
  'review.rejected': 'bad',
  'review.submitted': 'good',
  'review.retry_requested': 'warn',
  'review.retry_reminded': 'warn',
  'review.reminded': 'warn',
  'review.handed_over': 'warn',
}

/**
 * Oldest first. `agentName`: the owner of the API keys; `reason`: the reason of the decision, if the reviewer gave one.
 */
export function buildTimeline(
  entries: readonly HistoryEntry[],
  revisions: readonly Revision[],
  { agentName, reason }: { agentName?: string; reason?: string } = {},
): TimelineEntry[] {
  const retries = revisions.flatMap(revision => (revision.retry ? [revision.retry] : []))
  return entries.map(({ at, action, actor, details }) => {
    const moment: TimelineEntry = {
      at,
      action,
      who: getActorName(actor, agentName),
      tone: TONES[action] ?? 'plain',
    }
    if (action === 'review.retry_requested') {
      // A withdrawn request is no longer stored with its revision.
      const index = retries.findIndex(each => each.instructions === details?.instructions)
      const [retry] = index < 0 ? [] : retries.splice(index, 1)
      const said = retry?.instructions ?? details?.instructions
      if (typeof said === 'string') moment.quote = said
      if (retry) moment.fieldIds = retry.fieldIds
    }
    if (action === 'review.assigned' || action === 'review.handed_over')
      moment.assignees = getAssignees(details?.to)
    if (action === 'review.assigned' && typeof details?.note === 'string') moment.quote = details.note
    if (action === 'review.reminded') moment.insteadOfEscalating = details?.insteadOf === 'handOver'
    if (action === 'review.extended') {
      if (typeof details?.to === 'string') moment.until = details.to
      if (typeof details?.note === 'string') moment.quote = details.note
    }
    if (actor.kind === 'system' && actor.name === 'time-out') moment.automatic = 'deadline'
    if (actor.kind === 'system' && actor.name === 'auto-approve') moment.automatic = 'rule'
    if (action === 'review.requested') moment.revision = 1
    if (action === 'review.updated' && typeof details?.revision === 'number')
      moment.revision = details.revision
    if ((action === 'review.approved' || action === 'review.rejected') && reason) moment.quote = reason
    return moment
  })
}

/** The log has group IDs, and the groups may have been deleted since: their number is enough here. */
function getAssignees(to: unknown): string[] {
  const { users = [], groups = [], external = [] } = (to ?? {}) as Partial<Record<string, string[]>>
  return [
    ...users,
    ...(groups.length > 0 ? [t`${plural(groups.length, { one: '# group', other: '# groups' })}`] : []),
    ...external.map(email => t`${email} (external)`),
  ]
}

function getActorName({ kind, name }: HistoryEntry['actor'], agentName = t`The agent`): string {
  if (kind === 'key') return t`${agentName} (API key “${{ keyName: name }}”)`
  if (kind === 'external') return t`${{ email: name }} (external)`
  return kind === 'system' ? 'Signoff' : name
}

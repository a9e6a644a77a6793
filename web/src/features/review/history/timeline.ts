/** What has happened to a review, in words. */

import type { HistoryEntry, Revision } from '@/api/review'
import { moment as momentOf } from '@/lib/time'

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
  'review.retry_withdrawn': ['took the request for changes back', 'plain'],
  'review.retry_reminded': ['asked the agent again', 'warn'],
  'review.extended': ['gave more time', 'plain'],
  'review.reminded': ['reminded those who are asked', 'warn'],
  'review.handed_over': ['handed the review over', 'warn'],
  'review.assigned': ['changed who is asked', 'plain'],
  'review.taken': ['took the review', 'plain'],
  'review.handed_back': ['handed the review back', 'plain'],
  'review.media_retried': ['tried to copy the media again', 'plain'],
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
      // One that was taken back is no longer with its revision.
      const index = retries.findIndex(each => each.instructions === details?.instructions)
      const [retry] = index < 0 ? [] : retries.splice(index, 1)
      const said = retry?.instructions ?? details?.instructions
      if (typeof said === 'string') moment.quote = said
      if (retry) moment.fieldIds = retry.fieldIds
    }
    if (action === 'review.assigned') {
      moment.what = `asked ${askedIn(details?.to)}`
      if (typeof details?.note === 'string') moment.quote = details.note
    }
    if (action === 'review.handed_over')
      moment.what = `handed the review over, as nobody decided in time: asked ${askedIn(details?.to)}`
    if (action === 'review.reminded' && details?.insteadOf === 'handOver')
      moment.what = 'could not hand the review over, as nobody is left to ask, and reminded instead'
    if (action === 'review.extended') {
      if (typeof details?.to === 'string') moment.what = `gave more time, until ${momentOf(details.to)}`
      if (typeof details?.note === 'string') moment.quote = details.note
    }
    if (actor.kind === 'system' && actor.name === 'time-out')
      moment.what = `${what} it by time-out, as nobody decided in time`
    if (action === 'review.requested') moment.revision = 1
    if (action === 'review.updated' && typeof details?.revision === 'number')
      moment.revision = details.revision
    if ((action === 'review.approved' || action === 'review.rejected') && reason) moment.quote = reason
    return moment
  })
}

/** Groups are IDs in the log, and those may be gone: how many says enough here. */
function askedIn(to: unknown): string {
  const { users = [], groups = [], external = [] } = (to ?? {}) as Partial<Record<string, string[]>>
  const groupWords = groups.length === 0 ? [] : [groups.length === 1 ? 'a group' : `${groups.length} groups`]
  const everybody = [...users, ...groupWords, ...external.map(email => `${email} (external)`)]
  return everybody.length > 0 ? `${everybody.join(', ')} instead` : 'nobody in particular'
}

function nameOf({ kind, name }: HistoryEntry['actor'], agentName = 'The agent'): string {
  if (kind === 'key') return `${agentName} (key ${name})`
  if (kind === 'external') return `${name} (external)`
  return kind === 'system' ? 'Signoff' : name
}

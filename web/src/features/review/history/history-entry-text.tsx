import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { formatList } from '@/lib/i18n'
import { formatDateTime as written } from '@/lib/time'
import type { TimelineEntry } from './timeline'

/** What happened, as a sentence. */
export function HistoryEntryText({ moment }: { moment: TimelineEntry }) {
  const { action, automatic } = moment
  const who = <bdi className="font-medium">{moment.who}</bdi>
  switch (action) {
    case 'review.requested':
      return <Trans>{who} requested this review</Trans>
    case 'review.updated':
      return <Trans>{who} sent a new revision</Trans>
    case 'review.approved':
      if (automatic === 'deadline') return t`Auto-approved because the deadline passed`
      if (automatic === 'rule') return t`Auto-approved`
      return <Trans>{who} approved this review</Trans>
    case 'review.rejected':
      if (automatic === 'deadline') return t`Auto-rejected because the deadline passed`
      return <Trans>{who} rejected this review</Trans>
    case 'review.submitted':
      if (automatic === 'rule') return t`Submitted automatically`
      return <Trans>{who} submitted this form</Trans>
    case 'review.retry_requested':
      return <Trans>{who} requested changes</Trans>
    case 'review.retry_withdrawn':
      return <Trans>{who} withdrew the change request</Trans>
    case 'review.retry_reminded':
      return <Trans>{who} reminded the agent</Trans>
    case 'review.extended': {
      if (moment.until === undefined) return <Trans>{who} extended the deadline</Trans>
      const date = written(moment.until)
      return (
        <Trans>
          {who} extended the deadline to {date}
        </Trans>
      )
    }
    case 'review.reminded':
      if (moment.insteadOfEscalating)
        return t`Couldn't escalate: no active reviewers left to escalate to. Reminded the current reviewers instead.`
      return <Trans>{who} reminded the reviewers</Trans>
    case 'review.handed_over':
      return t`Deadline passed. Escalated to ${{ names: formatList(moment.assignees ?? []) }}`
    case 'review.assigned':
      return <AssignedText moment={moment} />
    case 'review.taken':
      return <Trans>{who} claimed this review</Trans>
    case 'review.handed_back':
      return <Trans>{who} released this review</Trans>
    case 'review.link_renewed':
      return <Trans>{who} requested a new link</Trans>
    case 'review.media_retried':
      return <Trans>{who} retried copying the media files</Trans>
    case 'delivery.retried':
      return <Trans>{who} retried a delivery</Trans>
    case 'delivery.cancelled':
      return <Trans>{who} canceled a delivery</Trans>
    default:
      return <Trans>{who} updated this review</Trans>
  }
}

function AssignedText({ moment: { who: name, assignees = [] } }: { moment: TimelineEntry }) {
  const who = <bdi className="font-medium">{name}</bdi>
  if (assignees.length === 0) return <Trans>{who} removed all reviewers</Trans>
  const names = <bdi>{formatList(assignees)}</bdi>
  return (
    <Trans>
      {who} assigned this to {names}
    </Trans>
  )
}

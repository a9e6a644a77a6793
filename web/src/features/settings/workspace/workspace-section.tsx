import { useQuery } from '@tanstack/react-query'
import { useMay, useMe } from '@/api/session'
import { accountQuery, usageQuery } from '@/api/settings/account'
import { Failure, Spinner } from '@/components/status'
import { Part, SectionFrame } from '../section'
import { AuditWebhook } from './audit-webhook'
import { MailPart } from './mail'
import { NameAndPlan } from './name-and-plan'
import { NotificationDefaults } from './notification-defaults'
import { MonthsBefore, UsageMeters } from './usage'

export default function WorkspaceSection() {
  const me = useMe()
  const administers = useMay('administer')
  return (
    <SectionFrame
      title="Workspace"
      about={administers ? undefined : `${me.account.name}, plan ${me.account.plan}.`}
    >
      {administers && <AccountParts isOwner={me.role === 'owner'} />}
      <UsagePart />
    </SectionFrame>
  )
}

function AccountParts({ isOwner }: { isOwner: boolean }) {
  const account = useQuery(accountQuery)
  if (account.isPending) return <Spinner />
  if (account.isError) return <Failure error={account.error} onRetry={() => account.refetch()} />
  return (
    <>
      <Part title="Name and plan">
        <NameAndPlan account={account.data} isOwner={isOwner} />
      </Part>
      <Part
        title="Notifications"
        about="Which mails about reviews people get who have not chosen in their profile."
      >
        <NotificationDefaults account={account.data} />
      </Part>
      <Part
        title="Audit webhook"
        about="Receives a copy of every event of the workspace, whichever agent it belongs to."
      >
        <AuditWebhook account={account.data} />
      </Part>
      <MailPart />
    </>
  )
}

function UsagePart() {
  const usage = useQuery(usageQuery)
  if (usage.isPending) return <Spinner />
  if (usage.isError) return <Failure error={usage.error} onRetry={() => usage.refetch()} />
  return (
    <Part title="Usage" about="Counted by calendar month, in UTC.">
      <UsageMeters usage={usage.data} />
      <MonthsBefore months={usage.data.history} />
    </Part>
  )
}

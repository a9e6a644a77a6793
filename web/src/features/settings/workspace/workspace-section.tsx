import { t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import { useMay, useMe } from '@/api/session'
import { accountQuery, usageQuery } from '@/api/settings/account'
import { ErrorState, Spinner } from '@/components/status'
import { Part, SectionFrame } from '../section'
import { AuditWebhook } from './audit-webhook'
import { MailSettings } from './mail-settings'
import { getPlanLabel, NameAndPlan } from './name-and-plan'
import { NotificationDefaults } from './notification-defaults'
import { PastMonths, UsageMeters } from './usage'

export default function WorkspaceSection() {
  const me = useMe()
  const administers = useMay('administer')
  return (
    <SectionFrame
      title={t`Workspace`}
      about={
        administers
          ? undefined
          : t`${{ name: me.account.name }} · ${{ plan: getPlanLabel(me.account.plan) }} plan`
      }
    >
      {administers && <AccountParts isOwner={me.role === 'owner'} />}
      <UsagePart />
    </SectionFrame>
  )
}

function AccountParts({ isOwner }: { isOwner: boolean }) {
  const account = useQuery(accountQuery)
  if (account.isPending) return <Spinner />
  if (account.isError)
    return (
      <ErrorState
        title={t`Couldn't load the workspace settings`}
        error={account.error}
        onRetry={() => account.refetch()}
      />
    )
  return (
    <>
      <Part title={t`General`}>
        <NameAndPlan account={account.data} isOwner={isOwner} />
      </Part>
      <Part
        title={t`Notifications`}
        about={t`Default email settings for members who haven't chosen their own.`}
      >
        <NotificationDefaults account={account.data} />
      </Part>
      <Part
        title={t`Audit webhook`}
        about={t`Sends a copy of every event in this workspace, from all agents, to one URL.`}
      >
        <AuditWebhook account={account.data} />
      </Part>
      <MailSettings />
    </>
  )
}

function UsagePart() {
  const usage = useQuery(usageQuery)
  if (usage.isPending) return <Spinner />
  if (usage.isError)
    return <ErrorState title={t`Couldn't load usage`} error={usage.error} onRetry={() => usage.refetch()} />
  return (
    <Part title={t`Usage`} about={t`Counted per calendar month (UTC).`}>
      <UsageMeters usage={usage.data} />
      <PastMonths months={usage.data.history} />
    </Part>
  )
}

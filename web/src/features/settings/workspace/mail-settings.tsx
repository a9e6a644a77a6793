import { t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { CircleCheck, CircleX } from 'lucide-react'
import { type TestMail, useSendTestMail } from '@/api/mails'
import { mailCountQuery } from '@/api/settings/outgoing-messages'
import { methodsQuery } from '@/api/sign-in'
import { Button } from '@/components/button'
import { FormError } from '@/components/form-error'
import { Badge, Notice, type Tone } from '@/components/status'
import { formatNumber } from '@/lib/i18n'
import { Part } from '../section'

/** Whether email works, and links to the emails that weren't sent. */
export function MailSettings() {
  const methods = useQuery(methodsQuery)
  const test = useSendTestMail()
  return (
    <Part
      title={t({ message: 'Email', context: 'messages' })}
      about={
        methods.data?.mail === false
          ? t`No mail server is configured. Emails are saved as files in the data directory instead of being sent. To send email, set SIGNOFF_SMTP_HOST on the server.`
          : t`Invites, password resets, external review links, and notifications.`
      }
      actions={
        <Button busy={test.isPending} onClick={() => test.mutate()}>
          {test.isPending ? t`Sending…` : t`Send test email`}
        </Button>
      }
    >
      <div className="flex max-w-3xl flex-col gap-4">
        <div aria-live="polite" className="empty:hidden">
          {test.error && <FormError error={test.error} />}
          {test.data && !test.isPending && <Outcome outcome={test.data} />}
        </div>
        <UnsentMails />
      </div>
    </Part>
  )
}

function UnsentMails() {
  const failed = useQuery(mailCountQuery('failed')).data
  const unclear = useQuery(mailCountQuery('unclear')).data
  if (!failed || !unclear) return null
  return (
    <p className="flex flex-wrap gap-x-5 gap-y-1 text-sm">
      <MailLink count={failed} status="failed" tone="bad" label={t`Failed emails`} />
      <MailLink count={unclear} status="unclear" tone="warn" label={t`Emails with an unknown status`} />
      <MailLink label={t`Show all emails`} />
    </p>
  )
}

function MailLink({
  count,
  status,
  tone,
  label,
}: {
  /** Undefined: not a list to act on. */
  count?: { count: number; more: boolean }
  status?: string
  tone?: Tone
  label: string
}) {
  if (count?.count === 0) return null
  return (
    <span className="inline-flex items-center gap-1.5">
      <Link
        to="/settings/$section"
        params={{ section: 'outgoing-messages' }}
        search={{ channel: 'mail', status }}
        className="text-accent underline underline-offset-2"
      >
        {label}
      </Link>
      {count && <Badge tone={tone}>{`${formatNumber(count.count)}${count.more ? '+' : ''}`}</Badge>}
    </span>
  )
}

function Outcome({ outcome }: { outcome: TestMail }) {
  return (
    <Notice
      tone={outcome.delivered ? 'good' : 'bad'}
      icon={outcome.delivered ? <CircleCheck /> : <CircleX />}
    >
      <span className="[overflow-wrap:anywhere]">
        {outcome.delivered && outcome.via === 'smtp'
          ? t`Test email sent to ${{ email: outcome.to }}. ${{ detail: outcome.detail }} Check that it arrived.`
          : outcome.detail}
      </span>{' '}
      <span className="text-muted">
        · {formatNumber(outcome.durationMs, { style: 'unit', unit: 'millisecond' })}
      </span>
    </Notice>
  )
}

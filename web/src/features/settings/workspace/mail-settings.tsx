import { t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import { CircleCheck, CircleX } from 'lucide-react'
import { type TestMail, useSendTestMail } from '@/api/mails'
import { methodsQuery } from '@/api/sign-in'
import { Button } from '@/components/button'
import { FormError } from '@/components/form-error'
import { Notice } from '@/components/status'
import { formatNumber } from '@/lib/i18n'
import { Part } from '../section'
import { MailErrors } from './mail-errors'

/** Whether email works, and the emails that weren't sent. */
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
        <MailErrors />
      </div>
    </Part>
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
          ? t`Check the ${{ email: outcome.to }} inbox. ${{ detail: outcome.detail }}`
          : outcome.detail}
      </span>{' '}
      <span className="text-muted">
        · {formatNumber(outcome.durationMs, { style: 'unit', unit: 'millisecond' })}
      </span>
    </Notice>
  )
}

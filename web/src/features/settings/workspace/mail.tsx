import { useQuery } from '@tanstack/react-query'
import { CircleCheck, CircleX } from 'lucide-react'
import { type TestMail, useSendTestMail } from '@/api/mails'
import { methodsQuery } from '@/api/sign-in'
import { Button } from '@/components/button'
import { FormFault } from '@/components/form-fault'
import { Notice } from '@/components/status'
import { Part } from '../section'
import { MailTrouble } from './mail-trouble'

/** Whether mails arrive, and those that did not. */
export function MailPart() {
  const methods = useQuery(methodsQuery)
  const test = useSendTestMail()
  return (
    <Part
      title="Mail"
      about={
        methods.data?.mail === false
          ? 'No mail server is set up, so nothing is sent: each mail becomes a file in the service’s data directory. Whoever runs the service sets SIGNOFF_SMTP_HOST.'
          : 'Invitations, links for forgotten passwords and for reviewers outside, and news of reviews.'
      }
      actions={
        <Button busy={test.isPending} onClick={() => test.mutate()} className="max-md:h-11">
          {test.isPending ? 'Sending …' : 'Send me a test mail'}
        </Button>
      }
    >
      <div className="flex max-w-3xl flex-col gap-4">
        <div aria-live="polite" className="empty:hidden">
          {test.error && <FormFault error={test.error} />}
          {test.data && !test.isPending && <Outcome outcome={test.data} />}
        </div>
        <MailTrouble />
      </div>
    </Part>
  )
}

function Outcome({ outcome }: { outcome: TestMail }) {
  return (
    <Notice
      tone={outcome.delivered ? 'good' : 'bad'}
      icon={
        outcome.delivered ? (
          <CircleCheck size={16} aria-hidden="true" />
        ) : (
          <CircleX size={16} aria-hidden="true" />
        )
      }
    >
      <span className="[overflow-wrap:anywhere]">
        {outcome.delivered && outcome.via === 'smtp' ? `Look into the mailbox of ${outcome.to}. ` : ''}
        {outcome.detail}
      </span>{' '}
      <span className="text-muted">· {outcome.durationMs.toLocaleString('en')} ms</span>
    </Notice>
  )
}

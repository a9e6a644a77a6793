import { useQuery } from '@tanstack/react-query'
import { type Mail, troubledMailsQuery, useResendMail } from '@/api/mails'
import { Button } from '@/components/button'
import { FormFault } from '@/components/form-fault'
import { Badge, Failure, Spinner, type Tone } from '@/components/status'
import { Time } from '@/components/time'
import { CELL, HEAD, TABLE, TableFrame } from '../table'

const KINDS: Record<string, string> = {
  invitation: 'Invitation',
  password_reset: 'Forgotten password',
  external_review: 'Review for somebody outside',
  review_requested: 'Reviews that wait',
  digest: 'Digest',
  reminder: 'Reminder',
  test: 'Test',
}

const STATES: Partial<Record<Mail['state'], { label: string; tone: Tone; means: string }>> = {
  failed: { label: 'Failed', tone: 'bad', means: 'It was not sent.' },
  unclear: {
    label: 'Unclear',
    tone: 'warn',
    means: 'It may have arrived. Sending it again may make it two.',
  },
  waiting: { label: 'Tried again', tone: 'plain', means: 'It is tried again by itself.' },
}

/** What was not sent, why, and a button that sends it now. */
export function MailTrouble() {
  const mails = useQuery(troubledMailsQuery)
  const resend = useResendMail()
  if (mails.isPending) return <Spinner />
  if (mails.isError) return <Failure error={mails.error} onRetry={() => mails.refetch()} />
  if (mails.data.length === 0)
    return <p className="text-muted text-sm">Every mail of the last three months was sent.</p>
  return (
    <>
      <FormFault error={resend.error} />
      <TableFrame label="Mails that were not sent">
        <table className={TABLE}>
          <thead>
            <tr>
              <th className={HEAD}>Mail</th>
              <th className={HEAD}>State</th>
              <th className={HEAD}>What happened</th>
              <th className={HEAD}>
                <span className="sr-only">Actions</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {mails.data.map(mail => (
              <Row
                key={mail.mailId}
                mail={mail}
                sending={resend.isPending && resend.variables === mail.mailId}
                onResend={() => resend.mutate(mail.mailId)}
              />
            ))}
          </tbody>
        </table>
      </TableFrame>
    </>
  )
}

function Row({ mail, sending, onResend }: { mail: Mail; sending: boolean; onResend: () => void }) {
  const state = STATES[mail.state]
  return (
    <tr>
      <td className={CELL}>
        <p className="min-w-40 [overflow-wrap:anywhere]">{mail.to}</p>
        <p className="text-muted text-sm">
          {KINDS[mail.kind] ?? mail.kind} · <Time at={mail.createdAt} />
        </p>
      </td>
      <td className={CELL}>
        <Badge tone={state?.tone}>{state?.label ?? mail.state}</Badge>
      </td>
      <td className={CELL}>
        <p className="min-w-52 text-sm [overflow-wrap:anywhere]">{mail.error}</p>
        <p className="text-muted text-sm">{state?.means}</p>
      </td>
      <td className={`${CELL} text-right`}>
        <Button
          size="small"
          className="max-md:h-11"
          busy={sending}
          onClick={onResend}
          aria-label={`Send to ${mail.to} now`}
        >
          Send now
        </Button>
      </td>
    </tr>
  )
}

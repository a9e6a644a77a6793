import type { MessageDescriptor } from '@lingui/core'
import { msg, t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import { failedMailsQuery, type Mail, useResendMail } from '@/api/mails'
import { Button } from '@/components/button'
import { FormError } from '@/components/form-error'
import { RelativeTime } from '@/components/relative-time'
import { Badge, ErrorState, Spinner, type Tone } from '@/components/status'
import { Table } from '@/components/table'
import { i18n } from '@/lib/i18n'

const KINDS: Record<string, MessageDescriptor> = {
  invitation: msg({ message: 'Invite', context: 'kind of email' }),
  password_reset: msg({ message: 'Password reset', context: 'kind of email' }),
  email_confirmation: msg({ message: 'Email confirmation', context: 'kind of email' }),
  email_changed: msg({ message: 'Email change notice', context: 'kind of email' }),
  external_review: msg({ message: 'External review', context: 'kind of email' }),
  review_requested: msg({ message: 'Pending reviews', context: 'kind of email' }),
  digest: msg({ message: 'Digest', context: 'kind of email' }),
  reminder: msg({ message: 'Reminder', context: 'kind of email' }),
  test: msg({ message: 'Test', context: 'kind of email' }),
}

const STATES: Record<Mail['state'], { label: MessageDescriptor; tone: Tone; means?: MessageDescriptor }> = {
  failed: {
    label: msg({ message: 'Failed', context: 'status of an email' }),
    tone: 'bad',
    means: msg({ message: 'Not sent.', context: 'status of an email' }),
  },
  unclear: {
    label: msg({ message: 'Unknown', context: 'status of an email' }),
    tone: 'warn',
    means: msg`It may have been delivered. If you resend it, it could arrive twice.`,
  },
  waiting: {
    label: msg({ message: 'Retrying', context: 'status of an email' }),
    tone: 'plain',
    means: msg`We'll try again automatically.`,
  },
  sending: { label: msg({ message: 'Sending', context: 'status of an email' }), tone: 'plain' },
  sent: { label: msg({ message: 'Sent', context: 'status of an email' }), tone: 'good' },
}

/** Emails that weren't sent, why, and a button that resends them. */
export function MailErrors() {
  const mails = useQuery(failedMailsQuery)
  const resend = useResendMail()
  if (mails.isPending) return <Spinner />
  if (mails.isError)
    return (
      <ErrorState
        title={t`Couldn't load unsent emails`}
        error={mails.error}
        onRetry={() => mails.refetch()}
      />
    )
  if (mails.data.length === 0)
    return <p className="text-muted text-sm">{t`All emails from the last 3 months were sent.`}</p>
  return (
    <>
      <FormError error={resend.error} />
      <Table
        label={t`Unsent emails`}
        columns={[
          { label: t({ message: 'Email', context: 'messages' }) },
          { label: t`Status` },
          { label: t`Details` },
          { label: t`Actions`, isLabelHidden: true },
        ]}
      >
        {mails.data.map(mail => (
          <Row
            key={mail.mailId}
            mail={mail}
            sending={resend.isPending && resend.variables === mail.mailId}
            onResend={() => resend.mutate(mail.mailId)}
          />
        ))}
      </Table>
    </>
  )
}

function Row({ mail, sending, onResend }: { mail: Mail; sending: boolean; onResend: () => void }) {
  const state = STATES[mail.state]
  const kind = KINDS[mail.kind]
  return (
    <tr>
      <td>
        <p className="min-w-40 [overflow-wrap:anywhere]">{mail.to}</p>
        <p className="text-muted text-sm">
          {kind ? i18n._(kind) : t({ message: 'Email', context: 'messages' })} ·{' '}
          <RelativeTime at={mail.createdAt} />
        </p>
      </td>
      <td>
        <Badge tone={state.tone}>{i18n._(state.label)}</Badge>
      </td>
      <td>
        <p className="min-w-52 text-sm [overflow-wrap:anywhere]">{mail.error}</p>
        {state.means && <p className="text-muted text-sm">{i18n._(state.means)}</p>}
      </td>
      <td className="text-end">
        <Button
          size="small"
          busy={sending}
          onClick={onResend}
          aria-label={t`Resend to ${{ email: mail.to }}`}
        >
          {t`Resend`}
        </Button>
      </td>
    </tr>
  )
}

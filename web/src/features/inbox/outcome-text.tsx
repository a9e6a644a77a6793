import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Check, CircleAlert, Clock, LoaderCircle } from 'lucide-react'
import type { ErrorDetail } from '@/api/client'
import { RelativeTime } from '@/components/relative-time'
import { type FormDefinition, getFieldErrors, getFormErrorText } from '@/form'
import { toSentence } from '@/lib/i18n'
import type { Outcome } from './bulk-outcomes'
import { useReviewForm } from './use-review-form'

type Props = {
  reviewId: string
  response: 'approved' | 'rejected'
  /** It was sent with the member's edits. */
  isEdited: boolean
}
type Invalid = Extract<Outcome, { kind: 'invalid' }>

/** The outcome of one review, as text. */
export function OutcomeText(props: Props & { outcome: Outcome }) {
  const { outcome, response } = props
  switch (outcome.kind) {
    case 'waiting':
      return (
        <span className="flex items-center gap-1 text-muted">
          <Clock className="icon-small" /> {t`Not decided yet`}
        </span>
      )
    case 'sending':
      return (
        <span className="flex items-center gap-1 text-muted">
          <LoaderCircle className="icon-small animate-spin" />{' '}
          {response === 'approved' ? t`Approving…` : t`Rejecting…`}
        </span>
      )
    case 'done':
      return (
        <span className="flex items-center gap-1 text-good">
          <Check className="icon-small" /> {response === 'approved' ? t`Approved` : t`Rejected`}
        </span>
      )
    case 'decided':
      return (
        <Failed>
          <DecidedText {...outcome} />
        </Failed>
      )
    case 'replaced':
      return <Failed>{t`The agent sent a new revision. Open the review to see what changed.`}</Failed>
    case 'outdatedEdits':
      return <Failed>{t`Your edits are for an older revision. Open the review to check them.`}</Failed>
    case 'invalid':
      return (
        <Failed>
          <InvalidText {...props} outcome={outcome} />
        </Failed>
      )
    case 'failed':
      return <Failed>{outcome.message}</Failed>
  }
}

function DecidedText({ response, by, at }: Extract<Outcome, { kind: 'decided' }>) {
  const name = by === null ? null : <bdi>{by}</bdi>
  const time = at === null ? '' : <RelativeTime at={at} />
  if (response === 'approved')
    return name ? (
      <Trans>
        {name} already approved this {time}
      </Trans>
    ) : (
      <Trans>Someone else already approved this {time}</Trans>
    )
  if (response === 'rejected')
    return name ? (
      <Trans>
        {name} already rejected this {time}
      </Trans>
    ) : (
      <Trans>Someone else already rejected this {time}</Trans>
    )
  return name ? (
    <Trans>
      {name} already decided this {time}
    </Trans>
  ) : (
    <Trans>Someone else already decided this {time}</Trans>
  )
}

function InvalidText({ reviewId, outcome, response, isEdited }: Props & { outcome: Invalid }) {
  const form = useReviewForm(reviewId).form as unknown as FormDefinition | undefined
  const lines = form && outcome.errors.length > 0 ? getErrorLines(form, outcome.errors) : [outcome.message]
  return (
    <>
      {response === 'rejected'
        ? t`Can't reject this:`
        : isEdited
          ? t`Can't approve this with your edits:`
          : t`Can't approve this as suggested:`}
      <ul>
        {lines.map(line => (
          <li key={line}>{line}</li>
        ))}
      </ul>
    </>
  )
}

/** The errors by field label. */
function getErrorLines(form: FormDefinition, errors: readonly ErrorDetail[]): string[] {
  const labels = new Map(form.fields.map(field => [field.id, field.label || field.id]))
  const lines = errors.map(error => {
    const [at] = getFieldErrors(form, [error])
    const label = at ? labels.get(at.fieldId) : error.path === 'reason' ? t`Reason` : undefined
    const message = (at && getFormErrorText(form, at)) ?? toSentence(error.message)
    return label ? t`${{ field: label }}: ${message}` : message
  })
  return [...new Set(lines)]
}

function Failed({ children }: { children: React.ReactNode }) {
  return (
    <span className="flex items-start gap-1 text-bad">
      <CircleAlert className="icon-small mt-0.5 shrink-0" />
      <span className="min-w-0 [overflow-wrap:anywhere]">{children}</span>
    </span>
  )
}

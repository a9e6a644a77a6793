import { plural, t } from '@lingui/core/macro'
import { CircleCheck, Link2Off } from 'lucide-react'
import { useEffect, useRef } from 'react'
import { ApiError, isStatus } from '@/api/client'
import { Button } from '@/components/button'
import { EmptyState, ErrorState } from '@/components/status'
import { type FormDefinition, getFormErrors } from '@/form'
import { getErrorText } from './error-text'

/** Why the form can't be shown. */
export function UnavailablePage({ error, onRetry }: { error: unknown; onRetry: () => void }) {
  if (isStatus(error, 410))
    return (
      <EmptyState icon={<Link2Off />} title={t`This form is closed`} as="h1">
        {t`It's no longer accepting responses. Ask the person who sent you the link for a new one.`}
      </EmptyState>
    )
  if (isStatus(error, 404) || isStatus(error, 400))
    return (
      <EmptyState icon={<Link2Off />} title={t`Form not found`} as="h1">
        {t`Check the link, or ask the person who sent it for a new one.`}
      </EmptyState>
    )
  return <ErrorState title={t`Couldn't load the form`} error={error} onRetry={onRetry} />
}

/** The form was submitted. */
export function SubmittedPage({ workspace, onAgain }: { workspace: string; onAgain: () => void }) {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => heading.current?.focus(), [])
  return (
    <div role="status" className="flex flex-col items-center gap-2 px-6 py-16 text-center">
      <CircleCheck className="icon-large text-good" />
      <h2 ref={heading} tabIndex={-1} className="font-medium text-lg outline-none">
        {t`Thanks! Your response was submitted.`}
      </h2>
      <p className="max-w-sm text-muted">{t`${workspace} received your response. You can close this page.`}</p>
      <Button size="large" className="mt-4" onClick={onAgain}>
        {t`Submit another response`}
      </Button>
    </div>
  )
}

/** Why a submission failed, and what to do, for someone who has never heard of this app. */
export function getReason(error: unknown, form: FormDefinition): string {
  if (!(error instanceof ApiError)) return t`Something went wrong. Try again.`
  if (error.status === 0)
    return t`You're offline. Your answers are still here. Submit again when you're back online.`
  if (error.status === 410)
    return t`This form was just closed. Ask the person who sent you the link for a new one.`
  if (error.code === 'form_changed')
    return t`This form was updated. Your answers were kept where they still apply. Check the form and submit again.`
  if (error.status === 429) return getRateLimitText(error.problem)
  if (error.status === 422) return getSubmissionErrorText(error, form)
  if (error.status === 413) return t`Your response is too large. Shorten it and submit again.`
  return t`Couldn't submit your response. ${{ message: error.message }}`
}

/** Name and email have their own fields on the page. */
const OWN_FIELDS = new Set(['name', 'email'])

function getSubmissionErrorText({ errors }: ApiError, form: FormDefinition): string {
  const beside = getFormErrors(form, errors).filter(({ path }) => !OWN_FIELDS.has(path))
  // The honeypot isn't visible, and was emptied by now.
  if (beside.some(({ path }) => path === 'website'))
    return t`Your browser filled in a hidden field, so your response wasn't submitted. We cleared that field. Submit again.`
  if (beside.length > 0) return t`Couldn't submit your response. ${{ errors: getErrorText(form, beside) }}`
  return t`Your response wasn't submitted. Fix the errors below and try again.`
}

function getRateLimitText({ scope, retryAfter }: ApiError['problem']): string {
  if (typeof retryAfter !== 'number')
    return scope === 'link'
      ? t`This form is getting too many responses. Try again later. Your answers are still here.`
      : t`Too many responses came from your network. Try again later. Your answers are still here.`
  const minutes = Math.max(1, Math.ceil(retryAfter / 60))
  return scope === 'link'
    ? t`This form is getting too many responses. Try again in ${plural(minutes, { one: '# minute', other: '# minutes' })}. Your answers are still here.`
    : t`Too many responses came from your network. Try again in ${plural(minutes, { one: '# minute', other: '# minutes' })}. Your answers are still here.`
}

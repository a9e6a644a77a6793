import { CircleCheck, Link2Off } from 'lucide-react'
import { useEffect, useRef } from 'react'
import { ApiError, isStatus } from '@/api/client'
import { Button } from '@/components/button'
import { Empty, Failure } from '@/components/status'
import { type FormDefinition, faultsBesideFields } from '@/form'

/** Why the form cannot be shown. */
export function CannotShow({ error, onRetry }: { error: unknown; onRetry: () => void }) {
  if (isStatus(error, 410))
    return (
      <Empty icon={<Link2Off size={30} />} title="This form is closed" as="h1">
        It was open to everybody for a while and is not any more. Ask whoever gave you the link for a new one.
      </Empty>
    )
  if (isStatus(error, 404) || isStatus(error, 400))
    return (
      <Empty icon={<Link2Off size={30} />} title="There is no form here" as="h1">
        The address may be mistyped. Ask whoever gave it to you.
      </Empty>
    )
  return <Failure error={error} onRetry={onRetry} />
}

/** It has arrived. */
export function Arrived({ workspace, onAgain }: { workspace: string; onAgain: () => void }) {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => heading.current?.focus(), [])
  return (
    <div role="status" className="flex flex-col items-center gap-2 px-6 py-16 text-center">
      <CircleCheck size={32} className="text-good" aria-hidden="true" />
      <h2 ref={heading} tabIndex={-1} className="font-medium text-lg outline-none">
        Thank you. It has arrived.
      </h2>
      <p className="max-w-sm text-muted">{workspace} has what you filled in. You can close this page.</p>
      <Button className="mt-4 h-11!" onClick={onAgain}>
        Fill it in again
      </Button>
    </div>
  )
}

/** What kept a submission from arriving, and what to do: in words for somebody who knows nothing of the service. */
export function whyNot(error: unknown, form: FormDefinition): string {
  if (!(error instanceof ApiError)) return 'Something unexpected happened on this page. Try again.'
  if (error.status === 0)
    return 'You seem to be offline. What you typed is still here: send it again when you are back.'
  if (error.status === 410)
    return 'The form was closed meanwhile. Ask whoever gave you the link for a new one.'
  if (error.code === 'form_changed')
    return 'The form was changed meanwhile. This is the new one, with what you filled in as far as it fits. Look it over and send it again.'
  if (error.status === 429)
    return `${error.problem.scope === 'link' ? 'Too many people filled in this form lately' : 'Too much came from your network lately'}. Try again ${inWords(error.problem.retryAfter)}; what you typed stays here.`
  if (error.status === 422) return whatIsWrong(error, form)
  if (error.status === 413) return 'It was not sent: it is too large.'
  return `It was not sent. ${error.message}`
}

/** Name and e-mail address have fields of their own on the page. */
const OWN_FIELDS = new Set(['name', 'email'])

function whatIsWrong({ faults }: ApiError, form: FormDefinition): string {
  const beside = faultsBesideFields(form, faults).filter(({ path }) => !OWN_FIELDS.has(path))
  // It is off the page, and was emptied meanwhile.
  if (beside.some(({ path }) => path === 'website'))
    return 'It was not sent: your browser filled in something that is not on the page. That is taken out; send it again.'
  if (beside.length > 0)
    return `It was not sent. ${beside.map(({ path, message }) => `${path}: ${message}`).join('; ')}`
  return 'It was not sent: something is not right yet. The fields say what.'
}

function inWords(seconds: unknown): string {
  if (typeof seconds !== 'number') return 'later'
  const minutes = Math.ceil(seconds / 60)
  return minutes <= 1 ? 'in a minute' : `in ${minutes} minutes`
}

import { t } from '@lingui/core/macro'
import { useMutation, useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { type FormEvent, useEffect, useRef, useState } from 'react'
import { ApiError } from '@/api/client'
import { getFieldError } from '@/api/errors'
import { type PublicTrigger, publicTriggerQuery, submitPublicTrigger } from '@/api/triggers'
import { Button } from '@/components/button'
import { Input, LabeledField } from '@/components/input'
import { Notice, Spinner } from '@/components/status'
import { type FormDefinition, type JsonObject, ReviewForm, type Suggestion } from '@/form'
import { FormOutdated } from './form-outdated'
import { getReason, SubmittedPage, UnavailablePage } from './public-states'
import { useChallenge } from './use-challenge'
import { PREFIX, useFormFilling } from './use-form-filling'

const route = getRouteApi('/f/$token')

/** A form that anyone with the link can fill out: just the form, without anything around it. */
export function PublicPage() {
  const { token } = route.useParams()
  const trigger = useQuery(publicTriggerQuery(token))
  const title = trigger.data?.formName
  useEffect(() => {
    document.title = title ?? t({ message: 'Form', comment: 'Page title until the form is loaded' })
  }, [title])
  if (trigger.data === undefined)
    return (
      <main className="grid min-h-dvh place-items-center">
        {trigger.error ? (
          <UnavailablePage error={trigger.error} onRetry={() => void trigger.refetch()} />
        ) : (
          <Spinner />
        )}
      </main>
    )
  return <Page key={token} token={token} trigger={trigger.data} onReread={() => void trigger.refetch()} />
}

type PageProps = { token: string; trigger: PublicTrigger; onReread: () => void }

function Page({ token, trigger, onReread }: PageProps) {
  const [hasArrived, setArrived] = useState(false)
  return (
    <div className="mx-auto flex min-h-dvh w-full max-w-2xl flex-col bg-canvas">
      <header className="px-4 pt-6 pb-2 md:px-6">
        <p dir="auto" className="text-muted text-sm">
          {trigger.workspace}
        </p>
        <h1 dir="auto" className="break-words font-semibold text-xl">
          {trigger.formName}
        </h1>
      </header>
      <main className="flex flex-1 flex-col">
        {hasArrived ? (
          <SubmittedPage workspace={trigger.workspace} onAgain={() => setArrived(false)} />
        ) : (
          <Form token={token} trigger={trigger} onReread={onReread} onArrived={() => setArrived(true)} />
        )}
      </main>
    </div>
  )
}

type Sending = { data: JsonObject; name: string; email: string; website: string }

function Form({ token, trigger, onReread, onArrived }: PageProps & { onArrived: () => void }) {
  const fillIn = useFormFilling(
    { formId: '', ...trigger.definition } as unknown as FormDefinition,
    trigger.suggestion as unknown as Suggestion,
    `signoff.public-trigger.${token}`,
  )
  const { begin, solved, forget } = useChallenge(token)
  const { isEmpty } = fillIn
  useEffect(() => {
    // Starts when the visitor starts to type, so that it's done before they are.
    if (!isEmpty) begin()
  }, [isEmpty, begin])
  const [name, setName] = useState('')
  const [email, setEmail] = useState('')
  const website = useRef<HTMLInputElement>(null)
  const submission = useMutation({
    mutationFn: (sending: Sending) => sendWithProof(token, fillIn.form.version, sending, solved, forget),
    onSuccess: () => {
      forget()
      fillIn.clear()
      onArrived()
    },
    onError: error => {
      // Some autofill tools take the honeypot for a field.
      if (website.current) website.current.value = ''
      if (!(error instanceof ApiError)) return
      if (error.status === 422) fillIn.refuse(error.errors)
      if (error.code !== 'form_changed') return
      fillIn.refuseVersion()
      onReread()
    },
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const data = fillIn.attempt()
    if (data !== null && !submission.isPending)
      submission.mutate({
        data,
        name: name.trim(),
        email: email.trim(),
        website: website.current?.value ?? '',
      })
  }
  return (
    <form noValidate aria-label={trigger.formName} onSubmit={submit} className="flex flex-1 flex-col">
      <div className="flex flex-1 flex-col gap-6 px-4 py-4 md:px-6">
        {submission.error && (
          <div role="alert">
            <Notice tone="bad">{getReason(submission.error, fillIn.form)}</Notice>
          </div>
        )}
        {fillIn.isOutdated && <FormOutdated onShow={fillIn.showNew} />}
        <ReviewForm
          trigger
          idPrefix={PREFIX}
          form={fillIn.form}
          suggestion={fillIn.suggestion}
          values={fillIn.values}
          onChange={fillIn.onChange}
          onRevert={fillIn.onRevert}
          errors={fillIn.errors}
        />
        <fieldset className="flex flex-col gap-4 border-line border-t pt-5">
          <legend className="sr-only">{t`Your details`}</legend>
          <LabeledField label={t`Name (optional)`} error={getFieldError(submission.error, 'name')}>
            {attributes => (
              <Input
                {...attributes}
                value={name}
                maxLength={200}
                autoComplete="name"
                onChange={event => setName(event.target.value)}
              />
            )}
          </LabeledField>
          <LabeledField label={t`Email (optional)`} error={getFieldError(submission.error, 'email')}>
            {attributes => (
              <Input
                {...attributes}
                type="email"
                value={email}
                maxLength={320}
                autoComplete="email"
                onChange={event => setEmail(event.target.value)}
              />
            )}
          </LabeledField>
        </fieldset>
        <div aria-hidden="true" className="absolute -start-[9999px] size-px overflow-hidden">
          <label>
            {t({ message: 'Website', comment: 'Hidden field that catches bots' })}
            <input ref={website} name="website" tabIndex={-1} autoComplete="off" defaultValue="" />
          </label>
        </div>
      </div>
      <div className="sticky bottom-0 border-line border-t bg-canvas px-4 py-3 pb-[max(0.75rem,env(safe-area-inset-bottom))] md:px-6">
        <Button
          type="submit"
          kind="primary"
          size="large"
          busy={submission.isPending}
          className="w-full md:w-auto md:min-w-40"
        >
          {submission.isPending ? t`Submitting…` : t`Submit`}
        </Button>
      </div>
    </form>
  )
}

/** A challenge that was used or has expired isn't the visitor's fault: retry once with a new one. */
async function sendWithProof(
  token: string,
  version: number,
  { data, name, email, website }: Sending,
  solved: () => Promise<{ challenge: string; solution: string }>,
  forget: () => void,
) {
  const send = async () =>
    submitPublicTrigger(token, {
      data,
      version,
      ...(await solved()),
      ...(name && { name }),
      ...(email && { email }),
      ...(website && { website }),
    })
  try {
    return await send()
  } catch (error) {
    if (!(error instanceof ApiError) || !OUTDATED.has(error.code)) throw error
    forget()
    return await send()
  }
}

const OUTDATED = new Set(['challenge_used', 'challenge_expired'])

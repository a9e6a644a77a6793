import { t } from '@lingui/core/macro'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useParams, useSearch } from '@tanstack/react-router'
import { Play } from 'lucide-react'
import { type FormEvent, useMemo, useRef, useState } from 'react'
import { ApiError } from '@/api/client'
import { useMay } from '@/api/session'
import {
  type StartedWorkflow,
  submitTrigger,
  type TriggerForm,
  triggerKeys,
  triggerQuery,
} from '@/api/triggers'
import { uploadFile } from '@/api/uploads'
import { Button } from '@/components/button'
import { Input, LabeledField } from '@/components/input'
import { ErrorState, Notice, Spinner } from '@/components/status'
import {
  ApprovalNotices,
  ApprovalNoticesContext,
  ApprovePanel,
  type FormDefinition,
  getFormErrors,
  type JsonObject,
  ReviewForm,
  type Suggestion,
  useApprovalGate,
  useReportedNotices,
  WaitingPanel,
} from '@/form'
import { useDecisionLock } from '@/lib/decision-lock'
import { randomId } from '@/lib/random'
import { useShortcuts } from '@/lib/shortcuts'
import { getOwnKey } from '@/lib/tab-storage'
import { getErrorText } from './error-text'
import { FormOutdated } from './form-outdated'
import { PREFIX, useFormFilling } from './use-form-filling'
import { WorkflowStarted } from './workflow-started'

/** An agent's trigger form, which starts it. */
export function TriggerPage() {
  const { formId } = useParams({ from: '/app/triggers/$formId' })
  const { session } = useSearch({ from: '/app/triggers/$formId' })
  const trigger = useQuery(triggerQuery(formId))
  if (trigger.data === undefined)
    return (
      <main className="grid h-full place-items-center">
        {trigger.error ? (
          <ErrorState
            title={t`Couldn't load the form`}
            error={trigger.error}
            onRetry={() => void trigger.refetch()}
          />
        ) : (
          <Spinner />
        )}
      </main>
    )
  return <Trigger key={formId} trigger={trigger.data} session={session} />
}

function Trigger({ trigger, session }: { trigger: TriggerForm; session: string | undefined }) {
  const [started, setStarted] = useState<StartedWorkflow | null>(null)
  return (
    <main className="mx-auto flex min-h-full w-full max-w-4xl flex-col">
      <header className="border-line border-b px-4 py-4 md:px-6">
        <h1 dir="auto" className="break-words font-semibold text-xl">
          {trigger.formName}
        </h1>
        <p className="mt-0.5 text-muted text-sm">
          {t`Starts a workflow with ${{ agentName: trigger.agentName }}`}
        </p>
      </header>
      {started === null ? (
        <Form trigger={trigger} session={session} onStarted={setStarted} />
      ) : (
        <WorkflowStarted started={started} agentName={trigger.agentName} onAgain={() => setStarted(null)} />
      )}
    </main>
  )
}

type FormProps = {
  trigger: TriggerForm
  session: string | undefined
  onStarted: (started: StartedWorkflow) => void
}

function Form({ trigger, session, onStarted }: FormProps) {
  const { formId } = trigger
  const client = useQueryClient()
  const mayUpload = useMay('request')
  const mayStart = useMay('decide')
  const [runName, setRunName] = useState('')
  const fillIn = useFormFilling(
    trigger.definition as unknown as FormDefinition,
    trigger.suggestion as unknown as Suggestion,
    getOwnKey(`trigger.${formId}`),
  )
  // The same for every attempt to send the same values, so that a lost response starts nothing twice.
  const key = useRef({ text: '', id: '' })
  const submission = useMutation({
    mutationFn: (data: JsonObject) => {
      const body = {
        data,
        version: fillIn.form.version,
        ...(session && { sessionId: session }),
        ...(runName.trim() && { runName: runName.trim() }),
      }
      const text = JSON.stringify(body)
      if (key.current.text !== text) key.current = { text, id: randomId() }
      return submitTrigger(formId, body, key.current.id)
    },
    onSuccess: started => {
      fillIn.clear()
      onStarted(started)
    },
    onError: error => {
      if (!(error instanceof ApiError)) return
      if (error.status === 422) fillIn.refuse(error.errors)
      if (error.code !== 'form_changed') return
      fillIn.refuseVersion()
      void client.invalidateQueries({ queryKey: triggerKeys.trigger(formId) })
    },
  })
  const [reported] = useState(() => new ApprovalNotices())
  const notices = useReportedNotices(reported)
  // A file that is still being uploaded is sent along; one that couldn't be uploaded is mentioned first.
  const gate = useApprovalGate<'started'>(notices, formId, () => {
    const data = fillIn.attempt()
    if (data !== null) submission.mutate(data)
  })
  const content = useRef<HTMLDivElement>(null)
  const question = useDecisionLock(gate.isAsking ? 'asked' : 'not asked', { content })
  const submit = (event: { timeStamp: number }) => {
    if (submission.isPending || !mayStart || gate.waiting !== null) return
    if (!gate.isAsking) gate.attempt('started', true)
    else if (question.allows(event)) gate.confirm()
  }
  const latest = useRef(submit)
  latest.current = submit
  useShortcuts(
    useMemo(
      () => [
        {
          keys: 'mod+Enter',
          label: t`Start workflow`,
          group: t`Start a workflow`,
          whileTyping: true,
          run: event => latest.current(event),
        },
      ],
      [],
    ),
  )
  return (
    <form
      noValidate
      aria-label={trigger.formName}
      className="flex flex-1 flex-col"
      onSubmit={(event: FormEvent) => {
        event.preventDefault()
        submit(event)
      }}
    >
      <div ref={content} className="flex flex-1 flex-col gap-6 px-4 py-5 md:px-6">
        {submission.error && <Problem error={submission.error} form={fillIn.form} />}
        {fillIn.isOutdated && <FormOutdated onShow={fillIn.showNew} />}
        <ApprovalNoticesContext value={reported}>
          <ReviewForm
            trigger
            idPrefix={PREFIX}
            form={fillIn.form}
            suggestion={fillIn.suggestion}
            values={fillIn.values}
            onChange={fillIn.onChange}
            onRevert={fillIn.onRevert}
            errors={fillIn.errors}
            readOnly={!mayStart}
            {...(mayUpload && { uploads: uploadFile })}
          />
        </ApprovalNoticesContext>
        {mayStart && (
          <LabeledField
            label={t`Run name (optional)`}
            help={t`If you leave this empty, the run is named after your answers.`}
            className="max-w-[48rem] border-line border-t pt-5"
          >
            {attributes => (
              <Input
                {...attributes}
                value={runName}
                maxLength={500}
                autoComplete="off"
                onChange={event => setRunName(event.target.value)}
              />
            )}
          </LabeledField>
        )}
      </div>
      <div className="sticky bottom-0 border-line border-t bg-canvas px-4 py-3 pb-[max(0.75rem,env(safe-area-inset-bottom))] md:px-6">
        {gate.waiting !== null ? (
          <WaitingPanel decision={gate.waiting} notices={notices} locked={false} onCancel={gate.cancel} />
        ) : gate.isAsking ? (
          <ApprovePanel
            action="start"
            notices={notices}
            busy={submission.isPending}
            locked={question.isLocked}
            onCancel={gate.cancel}
            onConfirm={submit}
          />
        ) : mayStart ? (
          <div className="flex justify-end">
            <Button
              type="submit"
              kind="primary"
              busy={submission.isPending}
              icon={<Play />}
              className="max-md:w-full"
            >
              {submission.isPending ? t`Starting…` : t`Start workflow`}
            </Button>
          </div>
        ) : (
          <p className="text-end text-muted text-sm">
            {t`Viewers can't start workflows. Ask an admin to change your role.`}
          </p>
        )}
      </div>
    </form>
  )
}

function Problem({ error, form }: { error: Error; form: FormDefinition }) {
  const changed = error instanceof ApiError && error.code === 'form_changed'
  const errors = error instanceof ApiError && error.status === 422 ? error.errors : []
  const beside = getFormErrors(form, errors)
  return (
    <div role="alert">
      <Notice tone={changed ? 'warn' : 'bad'}>
        {changed
          ? t`This form was updated. Your answers were kept where they still apply. Check the form and start again.`
          : beside.length > 0
            ? t`Couldn't start the workflow. ${{ message: getErrorText(form, beside, { runName: t`Run name` }) }}`
            : errors.length > 0
              ? t`Couldn't start the workflow. Fix the errors below and try again.`
              : t`Couldn't start the workflow. ${{ message: error.message }}`}
      </Notice>
    </div>
  )
}

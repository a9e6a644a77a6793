import { CircleAlert, FilePen, Hourglass, RefreshCw, UserRoundCheck } from 'lucide-react'
import type { ReactNode } from 'react'
import { Button } from '@/components/button'
import { Copy } from '@/components/copy'
import { Notice, type Tone } from '@/components/status'
import { Time } from '@/components/time'
import type { FormDefinition, Json, Suggestion } from '@/form'
import { ChangeList, changesBetween } from './change-list'
import type { Edit, Replaced } from './editing'
import type { LostEdit } from './merging'
import { editsAsText, fieldOf } from './value-text'

/** A notice with details below it that need room. */
function Banner({
  tone,
  icon,
  title,
  actions,
  children,
}: {
  tone: Tone
  icon: ReactNode
  title: ReactNode
  actions?: ReactNode
  children?: ReactNode
}) {
  return (
    <div role="status" className="flex flex-col gap-2">
      <Notice tone={tone} icon={icon} actions={actions}>
        {title}
      </Notice>
      {children}
    </div>
  )
}

const names = (form: FormDefinition, ids: readonly string[]): string =>
  ids.map(id => fieldOf(form, id)?.label ?? id).join(', ')

/** The agent put other content in place of what the person was looking at. */
export function ReplacedBanner({
  edit,
  replaced,
  onTakeAgents,
  onDismiss,
}: {
  edit: Edit
  replaced: Replaced
  onTakeAgents: (fieldId: string) => void
  onDismiss: () => void
}) {
  const { form, suggestion } = edit
  const kept = replaced.kept.filter(id => !replaced.contested.includes(id))
  return (
    <Banner
      tone="accent"
      icon={<RefreshCw size={15} />}
      title={
        <>
          <strong className="font-semibold">The agent replaced the content.</strong>{' '}
          {replaced.changed.length === 0 ? 'Nothing that is shown changed.' : 'This is what changed:'}
        </>
      }
      actions={
        <Button size="small" onClick={onDismiss}>
          Got it
        </Button>
      }
    >
      {replaced.changed.length > 0 && (
        <ChangeList
          form={form}
          changes={changesBetween(replaced.changed, replaced.before, suggestion)}
          configs={suggestion.configs}
          action={id =>
            replaced.contested.includes(id) && (
              <>
                <span className="text-warn">You edited it too; yours is kept</span>
                <Button size="small" onClick={() => onTakeAgents(id)}>
                  Take the agent’s
                </Button>
              </>
            )
          }
        />
      )}
      {kept.length > 0 && (
        <p className="px-3 text-muted text-sm">Your edits are kept: {names(form, kept)}.</p>
      )}
      <Lost form={form} lost={replaced.lost} />
    </Banner>
  )
}

/** Edits with no place in the new content: to be copied. */
function Lost({ form, lost }: { form: FormDefinition; lost: readonly LostEdit[] }) {
  if (lost.length === 0) return null
  return (
    <div className="flex flex-col gap-2 rounded-md border border-line px-3 py-2 text-sm">
      <div className="flex items-center gap-2">
        <p className="flex-1">No longer fitting, so not applied:</p>
        <Copy text={editsAsText(form, lost)} label="Copy them" />
      </div>
      <EditedValues form={form} edits={lost} />
    </div>
  )
}

function EditedValues({
  form,
  edits,
}: {
  form: FormDefinition
  edits: readonly { fieldId: string; value: Json }[]
}) {
  return (
    <pre className="max-h-60 overflow-auto whitespace-pre-wrap font-sans text-muted">
      {editsAsText(form, edits)}
    </pre>
  )
}

/** What the person typed last time was typed on older content. */
export function OldDraftBanner({ edit, onDismiss }: { edit: Edit; onDismiss: () => void }) {
  if (edit.oldDraft === null) return null
  const { kept, lost } = edit.oldDraft
  return (
    <Banner
      tone="accent"
      icon={<FilePen size={15} />}
      title={
        <>
          <strong className="font-semibold">The agent replaced the content since you began.</strong>{' '}
          {kept.length > 0
            ? `Your draft is applied to it: ${names(edit.form, kept)}.`
            : 'Your draft no longer fits.'}
        </>
      }
      actions={
        <Button size="small" onClick={onDismiss}>
          Got it
        </Button>
      }
    >
      <Lost form={edit.form} lost={lost} />
    </Banner>
  )
}

/** Somebody else was faster. What the person typed stays visible. */
export function OvertakenBanner({
  edit,
  edits,
  decided,
  who,
  at,
  mine,
  theirs,
  onDismiss,
}: {
  edit: Edit
  edits: readonly string[]
  /** How they decided: `approved`. */
  decided: string
  who: string
  at: string
  /** What the person had decided, if they had: `rejection`. */
  mine: string | null
  theirs: Suggestion
  onDismiss: () => void
}) {
  const own = edits.map(fieldId => ({ fieldId, value: edit.values[fieldId] ?? null }))
  return (
    <Banner
      tone="warn"
      icon={<UserRoundCheck size={15} />}
      title={
        <>
          <strong className="font-semibold">
            {who} {decided} this <Time at={at} />
          </strong>
          {mine && `, before your ${mine} arrived`}.
          {own.length > 0 && ' Your edits were not used; they are below, compared with the result.'}
        </>
      }
      actions={
        <>
          {own.length > 0 && (
            <Copy text={editsAsText(edit.form, own, edit.suggestion)} label="Copy my edits" />
          )}
          <Button size="small" onClick={onDismiss}>
            Dismiss
          </Button>
        </>
      }
    >
      {own.length > 0 && (
        <ChangeList
          form={edit.form}
          changes={own.map(({ fieldId, value }) => ({
            fieldId,
            before: theirs.values[fieldId] ?? null,
            after: value,
          }))}
          configs={edit.suggestion.configs}
        />
      )}
    </Banner>
  )
}

/** The agent was asked for other content and has not answered yet. */
export function WaitingBanner({
  form,
  at,
  by,
  instructions,
  fieldIds,
  reminders,
  remindedAt,
  actions,
}: {
  form: FormDefinition
  at: string
  by: string
  instructions: string
  fieldIds: readonly string[]
  /** How often the agent was asked again. */
  reminders?: number
  remindedAt?: string
  actions?: ReactNode
}) {
  return (
    <Banner
      tone="warn"
      icon={<Hourglass size={15} />}
      actions={actions}
      title={
        <>
          <strong className="font-semibold">Waiting for the agent.</strong> {by} asked <Time at={at} /> for
          changes
          {fieldIds.length > 0 && ` to ${names(form, fieldIds)}`}:
          <q className="mt-1 block whitespace-pre-wrap break-words text-muted before:content-['“'] after:content-['”']">
            {instructions}
          </q>
          {reminders !== undefined && remindedAt && (
            <span className="mt-1 block text-muted text-sm">
              Asked again {reminders === 1 ? 'once' : `${reminders} times`}, last <Time at={remindedAt} />
            </span>
          )}
        </>
      }
    />
  )
}

export function RefusedBanner({ message, onDismiss }: { message: string; onDismiss: () => void }) {
  return (
    <div role="alert">
      <Notice
        tone="bad"
        icon={<CircleAlert size={15} />}
        actions={
          <Button size="small" onClick={onDismiss}>
            Dismiss
          </Button>
        }
      >
        <strong className="font-semibold">Your decision did not count.</strong> {message}
      </Notice>
    </div>
  )
}

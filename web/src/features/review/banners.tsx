import { t } from '@lingui/core/macro'
import { Plural, Select, Trans } from '@lingui/react/macro'
import { CircleAlert, FilePen, Hourglass, RefreshCw, UserRoundCheck } from 'lucide-react'
import type { ReactNode } from 'react'
import { Button } from '@/components/button'
import { CopyButton } from '@/components/copy-button'
import { RelativeTime } from '@/components/relative-time'
import { Notice, type Tone } from '@/components/status'
import type { FormDefinition, Json, Suggestion } from '@/form'
import { ChangeList, getChanges } from './change-list'
import type { Edit, ReplacedContent } from './edit'
import type { LostEdit } from './merge'
import { formatEdits, getLabels } from './value-text'

/** A notice with details below it. */
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

/** User text within a message, as an element, so that nothing in it is parsed as markup. */
const isolate = (text: string) => <bdi>{text}</bdi>

/** The agent sent a new revision while the review was open. */
export function ReplacedBanner({
  edit,
  replaced,
  onTakeAgents,
  onDismiss,
}: {
  edit: Edit
  replaced: ReplacedContent
  onTakeAgents: (fieldId: string) => void
  onDismiss: () => void
}) {
  const { form, suggestion } = edit
  const kept = replaced.kept.filter(id => !replaced.conflicting.includes(id))
  const fields = isolate(getLabels(form, kept))
  return (
    <Banner
      tone="accent"
      icon={<RefreshCw />}
      title={
        replaced.changed.length === 0 ? (
          <Trans>
            <strong className="font-semibold">The agent sent a new revision.</strong> Nothing you can see has
            changed.
          </Trans>
        ) : (
          <Trans>
            <strong className="font-semibold">The agent sent a new revision.</strong> What changed:
          </Trans>
        )
      }
      actions={
        <Button size="small" onClick={onDismiss}>
          {t`Dismiss`}
        </Button>
      }
    >
      {replaced.changed.length > 0 && (
        <ChangeList
          form={form}
          changes={getChanges(replaced.changed, replaced.before, suggestion)}
          configs={suggestion.configs}
          action={id =>
            replaced.conflicting.includes(id) && (
              <>
                <span className="text-warn">{t`You edited this too. Your edit was kept.`}</span>
                <Button size="small" onClick={() => onTakeAgents(id)}>
                  {t`Use agent's value`}
                </Button>
              </>
            )
          }
        />
      )}
      {kept.length > 0 && (
        <p className="px-3 text-muted text-sm">
          <Trans>Your edits to {fields} were kept.</Trans>
        </p>
      )}
      <LostEdits form={form} lost={replaced.lost} />
    </Banner>
  )
}

/** Edits that don't fit the new revision, to be copied by hand. */
function LostEdits({ form, lost }: { form: FormDefinition; lost: readonly LostEdit[] }) {
  if (lost.length === 0) return null
  return (
    <div className="flex flex-col gap-2 rounded-md border border-line px-3 py-2 text-sm">
      <div className="flex items-center gap-2">
        <p className="flex-1">{t`These edits can't be applied to the new revision:`}</p>
        <CopyButton text={formatEdits(form, lost)} label={t`Copy your edits`} />
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
      {formatEdits(form, edits)}
    </pre>
  )
}

/** The draft was made on an older revision. */
export function OldDraftBanner({ edit, onDismiss }: { edit: Edit; onDismiss: () => void }) {
  if (edit.oldDraft === null) return null
  const { kept, lost } = edit.oldDraft
  const fields = isolate(getLabels(edit.form, kept))
  return (
    <Banner
      tone="accent"
      icon={<FilePen />}
      title={
        kept.length > 0 ? (
          <Trans>
            <strong className="font-semibold">
              The agent sent a new revision after you started your draft.
            </strong>{' '}
            Your edits to {fields} carry over.
          </Trans>
        ) : (
          <Trans>
            <strong className="font-semibold">
              The agent sent a new revision after you started your draft.
            </strong>{' '}
            Your edits can't be applied to it.
          </Trans>
        )
      }
      actions={
        <Button size="small" onClick={onDismiss}>
          {t`Dismiss`}
        </Button>
      }
    >
      <LostEdits form={edit.form} lost={lost} />
    </Banner>
  )
}

/** Someone else, or the deadline, decided first. The member's own edits stay visible. */
export function DecidedBanner({
  edit,
  edits,
  decided,
  who,
  timedOut,
  at,
  mine,
  theirs,
  onDismiss,
}: {
  edit: Edit
  edits: readonly string[]
  decided: Decided
  who: string
  /** The deadline decided it. */
  timedOut: boolean
  at: string
  /** The member's own decision, if there was one. */
  mine: Decided | null
  theirs: Suggestion
  onDismiss: () => void
}) {
  const unused = edits.map(fieldId => ({ fieldId, value: edit.values[fieldId] ?? null }))
  return (
    <Banner
      tone="warn"
      icon={<UserRoundCheck />}
      title={
        <>
          {timedOut ? (
            <AutoDecided decided={decided} at={at} />
          ) : (
            <DecidedByOthers decided={decided} who={who} at={at} mine={mine} />
          )}
          {unused.length > 0 && ` ${t`Your edits weren't used. They're compared with the result below.`}`}
        </>
      }
      actions={
        <>
          {unused.length > 0 && (
            <CopyButton text={formatEdits(edit.form, unused, edit.suggestion)} label={t`Copy your edits`} />
          )}
          <Button size="small" onClick={onDismiss}>
            {t`Dismiss`}
          </Button>
        </>
      }
    >
      {unused.length > 0 && (
        <ChangeList
          form={edit.form}
          changes={unused.map(({ fieldId, value }) => ({
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

/** `submitted`: for a trigger form, which is neither approved nor rejected. */
export type Decided = 'approved' | 'rejected' | 'submitted'

function DecidedByOthers({
  decided,
  who,
  at,
  mine,
}: {
  decided: Decided
  who: string
  at: string
  mine: Decided | null
}) {
  const name = isolate(who)
  const yours = mine ?? 'none'
  if (decided === 'approved')
    return (
      <Trans>
        <strong className="font-semibold">
          {name} approved this <RelativeTime at={at} />
        </strong>
        <Select
          value={yours}
          _approved=", before your approval arrived."
          _rejected=", before your rejection arrived."
          other="."
        />
      </Trans>
    )
  if (decided === 'rejected')
    return (
      <Trans>
        <strong className="font-semibold">
          {name} rejected this <RelativeTime at={at} />
        </strong>
        <Select
          value={yours}
          _approved=", before your approval arrived."
          _rejected=", before your rejection arrived."
          other="."
        />
      </Trans>
    )
  return (
    <Trans>
      <strong className="font-semibold">
        {name} submitted this <RelativeTime at={at} />
      </strong>
      <Select value={yours} _submitted=", before your submission arrived." other="." />
    </Trans>
  )
}

function AutoDecided({ decided, at }: { decided: Decided; at: string }) {
  return decided === 'approved' ? (
    <Trans>
      <strong className="font-semibold">
        Auto-approved <RelativeTime at={at} />
      </strong>{' '}
      because the deadline passed.
    </Trans>
  ) : (
    <Trans>
      <strong className="font-semibold">
        Auto-rejected <RelativeTime at={at} />
      </strong>{' '}
      because the deadline passed.
    </Trans>
  )
}

/** Changes were requested, and the agent hasn't sent a new revision yet. */
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
  /** How often the agent was reminded. */
  reminders?: number
  remindedAt?: string
  actions?: ReactNode
}) {
  const name = isolate(by)
  const labels = getLabels(form, fieldIds)
  const fields = isolate(labels)
  return (
    <Banner
      tone="warn"
      icon={<Hourglass />}
      actions={actions}
      title={
        <>
          {labels ? (
            <Trans>
              <strong className="font-semibold">Waiting on agent.</strong> {name} requested changes to{' '}
              {fields} <RelativeTime at={at} />:
            </Trans>
          ) : (
            <Trans>
              <strong className="font-semibold">Waiting on agent.</strong> {name} requested changes{' '}
              <RelativeTime at={at} />:
            </Trans>
          )}
          <q
            dir="auto"
            className="mt-1 block whitespace-pre-wrap break-words text-muted before:content-['“'] after:content-['”']"
          >
            {instructions}
          </q>
          {reminders !== undefined && remindedAt && (
            <span className="mt-1 block text-muted text-sm">
              <Trans>
                Agent last reminded <RelativeTime at={remindedAt} /> (
                <Plural value={reminders} one="# reminder" other="# reminders" /> so far)
              </Trans>
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
        icon={<CircleAlert />}
        actions={
          <Button size="small" onClick={onDismiss}>
            {t`Dismiss`}
          </Button>
        }
      >
        <strong className="font-semibold">{t`Your decision wasn't saved.`}</strong>{' '}
        <span dir="auto" className="whitespace-pre-line">
          {message}
        </span>
      </Notice>
    </div>
  )
}

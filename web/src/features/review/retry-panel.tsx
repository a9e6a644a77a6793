import { t } from '@lingui/core/macro'
import { type MouseEvent, useState } from 'react'
import { Button } from '@/components/button'
import { LabeledField, TextArea } from '@/components/input'
import type { FormDefinition, Suggestion } from '@/form'
import { classes } from '@/lib/classes'

/** The instructions for the agent, and the fields they are about. */
export function RetryPanel({
  form,
  suggestion,
  instructions,
  onInstructions,
  fieldIds,
  onFieldIds,
  missing,
  error,
  busy,
  locked,
  onCancel,
  onSend,
}: {
  form: FormDefinition
  suggestion: Suggestion
  instructions: string
  onInstructions: (instructions: string) => void
  /** Empty: the entire review. */
  fieldIds: readonly string[]
  onFieldIds: (fieldIds: string[]) => void
  /** The instructions are required and missing. */
  missing: boolean
  error: string | null
  busy: boolean
  locked: boolean
  onCancel: () => void
  onSend: (event: MouseEvent) => void
}) {
  const [isChoosing, setChoosing] = useState(fieldIds.length > 0)
  const fields = form.fields.filter(
    field => field.type !== 'label' && Object.hasOwn(suggestion.values, field.id),
  )
  const toggle = (id: string) =>
    onFieldIds(fieldIds.includes(id) ? fieldIds.filter(each => each !== id) : [...fieldIds, id])
  return (
    <section aria-label={t`Request changes`} className="flex flex-col gap-3">
      <LabeledField
        label={t`What should the agent change?`}
        error={missing && !instructions.trim() ? t`Describe what the agent should change.` : error}
      >
        {attributes => (
          <TextArea
            {...attributes}
            autoFocus
            required
            value={instructions}
            maxLength={10_000}
            onChange={event => onInstructions(event.target.value)}
            onKeyDown={event => event.key === 'Escape' && onCancel()}
            className="max-h-60"
          />
        )}
      </LabeledField>
      <fieldset className="flex flex-wrap items-center gap-1.5">
        <legend className="sr-only">{t`Applies to`}</legend>
        <Choice
          chosen={!isChoosing}
          onClick={() => {
            setChoosing(false)
            onFieldIds([])
          }}
        >
          {t`Entire review`}
        </Choice>
        {isChoosing ? (
          fields.map(field => (
            <Choice key={field.id} chosen={fieldIds.includes(field.id)} onClick={() => toggle(field.id)}>
              {field.label}
            </Choice>
          ))
        ) : (
          <Choice chosen={false} onClick={() => setChoosing(true)}>
            {t`Specific fields`}
          </Choice>
        )}
      </fieldset>
      <div className="flex justify-end gap-2">
        <Button onClick={onCancel} className="max-md:flex-1">
          {t`Cancel`}
        </Button>
        <Button
          kind="primary"
          keys="mod+Enter"
          onClick={onSend}
          busy={busy}
          locked={locked}
          className="max-md:flex-1"
        >
          {t`Request changes`}
        </Button>
      </div>
    </section>
  )
}

function Choice({ chosen, onClick, children }: { chosen: boolean; onClick: () => void; children: string }) {
  return (
    <button
      type="button"
      dir="auto"
      aria-pressed={chosen}
      onClick={onClick}
      className={classes(
        'h-7 max-w-60 truncate rounded-full border px-2.5 text-sm pointer-coarse:min-h-11',
        chosen
          ? 'border-accent bg-accent-soft font-medium text-accent'
          : 'border-line text-muted hover:bg-sunken',
      )}
    >
      {children}
    </button>
  )
}

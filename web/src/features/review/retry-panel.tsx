import { t } from '@lingui/core/macro'
import { type MouseEvent, useState } from 'react'
import { Button } from '@/components/button'
import { LabeledField, TextArea } from '@/components/input'
import { ToggleChip } from '@/components/toggle-chip'
import type { FormDefinition, Suggestion } from '@/form'

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
        <ToggleChip
          dir="auto"
          chosen={!isChoosing}
          onClick={() => {
            setChoosing(false)
            onFieldIds([])
          }}
        >
          {t`Entire review`}
        </ToggleChip>
        {isChoosing ? (
          fields.map(field => (
            <ToggleChip
              dir="auto"
              key={field.id}
              chosen={fieldIds.includes(field.id)}
              onClick={() => toggle(field.id)}
            >
              {field.label}
            </ToggleChip>
          ))
        ) : (
          <ToggleChip chosen={false} onClick={() => setChoosing(true)}>
            {t`Specific fields`}
          </ToggleChip>
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

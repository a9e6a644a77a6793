import { t } from '@lingui/core/macro'
import { LabeledField, TextArea } from '@/components/input'

/** The input for a field's help text. */
export function HelpInput({
  value,
  error,
  onChange,
}: {
  value: string | undefined
  error: string | null
  onChange: (help: string | undefined) => void
}) {
  return (
    <LabeledField label={t`Help text`} error={error}>
      {attributes => (
        <TextArea
          {...attributes}
          className="min-h-8"
          rows={1}
          maxLength={2_000}
          value={value ?? ''}
          onChange={event => onChange(event.target.value || undefined)}
        />
      )}
    </LabeledField>
  )
}

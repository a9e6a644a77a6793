import { t } from '@lingui/core/macro'
import { Check, X } from 'lucide-react'
import type { EditorProps } from '../editor-props'
import type { FieldOf } from '../types'
import { EmptyValue } from './empty-value'
import { OptionButtons } from './option-buttons'

export function BooleanEditor({
  field,
  value,
  onChange,
  readOnly,
  attributes,
  compact,
}: EditorProps<FieldOf<'boolean'>>) {
  const labels = { yes: field.trueLabel || t`Yes`, no: field.falseLabel || t`No` }
  if (readOnly) {
    if (typeof value !== 'boolean') return <EmptyValue />
    return (
      <span className="inline-flex items-center gap-1.5">
        {value ? <Check className="text-good" /> : <X className="text-muted" />}
        <span dir="auto">{value ? labels.yes : labels.no}</span>
      </span>
    )
  }
  const chosen = value === true ? 'yes' : value === false ? 'no' : null
  return (
    <OptionButtons
      options={[
        { id: 'yes', label: labels.yes },
        { id: 'no', label: labels.no },
      ]}
      chosen={new Set(chosen === null ? [] : [chosen])}
      onToggle={id => onChange(id === chosen ? null : id === 'yes')}
      multiple={false}
      clearable={!field.required}
      required={field.required}
      attributes={attributes}
      compact={compact}
    />
  )
}

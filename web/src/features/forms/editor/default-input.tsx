import { t } from '@lingui/core/macro'
import { useState } from 'react'
import { Input, LabeledField, NativeSelect, TextArea } from '@/components/input'
import { NumberInput } from '@/form'
import type { Json, Option } from '@/form/types'
import { getValueKind } from '../document/field-types'
import type { EditorField } from '../document/types'

/** The default value of a field. */
export function DefaultInput({
  field,
  help,
  error,
  onChange,
}: {
  field: EditorField
  help: string
  error: string | null
  onChange: (value: Json | undefined) => void
}) {
  const kind = getValueKind(field)
  const options = (Array.isArray(field.options) ? field.options : []) as Option[]
  const value = field.default
  if (kind === 'boolean' || (kind === 'choice' && options.length > 0)) {
    const choices =
      kind === 'boolean'
        ? [
            { id: 'true', label: String(field.trueLabel ?? t`Yes`) },
            { id: 'false', label: String(field.falseLabel ?? t`No`) },
          ]
        : options
    const read = (chosen: string): Json | undefined =>
      chosen === '' ? undefined : kind === 'boolean' ? chosen === 'true' : chosen
    return (
      <LabeledField label={t`Default`} help={help} error={error}>
        {attributes => (
          <NativeSelect
            {...attributes}
            value={value === undefined || value === null ? '' : String(value)}
            onChange={event => onChange(read(event.target.value))}
          >
            <option value="">{t({ message: 'None', context: 'default value' })}</option>
            {choices.map(choice => (
              <option key={choice.id} value={choice.id}>
                {choice.label}
              </option>
            ))}
          </NativeSelect>
        )}
      </LabeledField>
    )
  }
  if (kind === 'number')
    return (
      <LabeledField label={t`Default`} help={help} error={error}>
        {attributes => (
          <NumberInput
            {...attributes}
            value={typeof value === 'number' ? value : undefined}
            onChange={onChange}
          />
        )}
      </LabeledField>
    )
  if (kind === 'text' || kind === 'date' || kind === 'datetime')
    return (
      <LabeledField label={t`Default`} help={help} error={error}>
        {attributes =>
          ['longText', 'markdown', 'richText', 'code'].includes(field.type) ? (
            <TextArea
              {...attributes}
              className="min-h-8"
              rows={1}
              value={typeof value === 'string' ? value : ''}
              onChange={event => onChange(event.target.value || undefined)}
            />
          ) : (
            <Input
              {...attributes}
              type={kind === 'date' ? 'date' : 'text'}
              autoComplete="off"
              value={typeof value === 'string' ? value : ''}
              onChange={event => onChange(event.target.value || undefined)}
            />
          )
        }
      </LabeledField>
    )
  return <JsonDefault value={value} help={help} error={error} onChange={onChange} />
}

function JsonDefault({
  value,
  help,
  error,
  onChange,
}: {
  value: Json | undefined
  help: string
  error: string | null
  onChange: (value: Json | undefined) => void
}) {
  const [typed, setTyped] = useState<string | null>(null)
  const [jsonError, setJsonError] = useState<string | null>(null)
  const change = (text: string) => {
    setTyped(text)
    try {
      onChange(text.trim() === '' ? undefined : (JSON.parse(text) as Json))
      setJsonError(null)
    } catch {
      setJsonError(t`Invalid JSON.`)
    }
  }
  return (
    <LabeledField label={t`Default (JSON)`} help={help} error={jsonError ?? error}>
      {attributes => (
        <TextArea
          {...attributes}
          className="min-h-8 font-mono text-sm"
          rows={1}
          spellCheck={false}
          value={typed ?? (value === undefined || value === null ? '' : JSON.stringify(value))}
          onChange={event => change(event.target.value)}
          onBlur={() => jsonError === null && setTyped(null)}
        />
      )}
    </LabeledField>
  )
}

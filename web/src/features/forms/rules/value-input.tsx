import { t } from '@lingui/core/macro'
import { useState } from 'react'
import { Input, NativeSelect } from '@/components/input'
import type { Json, Option } from '@/form/types'
import type { Asked } from './operations'

/** The control that fits what a condition compares with. */
export function ValueInput({
  takes,
  options,
  value,
  onChange,
}: {
  takes: Asked
  options: readonly Option[]
  value: Json | undefined
  onChange: (value: Json) => void
}) {
  if (takes === 'option' && options.length > 0)
    return (
      <NativeSelect
        aria-label={t`Value`}
        className="w-auto! min-w-0 max-w-60"
        value={String(value ?? '')}
        onChange={event => onChange(event.target.value)}
      >
        {!options.some(option => option.id === value) && (
          <option value={String(value ?? '')}>{String(value ?? '')}</option>
        )}
        {options.map(option => (
          <option key={option.id} value={option.id}>
            {option.label}
          </option>
        ))}
      </NativeSelect>
    )
  if (takes === 'number') return <NumberValue value={value} onChange={onChange} />
  return (
    <Input
      aria-label={t`Value`}
      type={takes === 'date' ? 'date' : 'text'}
      className="w-48!"
      autoComplete="off"
      value={
        typeof value === 'string' ? value : value === undefined || value === null ? '' : JSON.stringify(value)
      }
      onChange={event => onChange(event.target.value)}
    />
  )
}

/** While it is empty or incomplete, the last valid number stays. */
function NumberValue({ value, onChange }: { value: Json | undefined; onChange: (value: Json) => void }) {
  const [typed, setTyped] = useState<string | null>(null)
  return (
    <Input
      aria-label={t`Value`}
      type="number"
      step="any"
      className="w-28!"
      value={typed ?? (typeof value === 'number' ? value : '')}
      onChange={event => {
        setTyped(event.target.value)
        if (!Number.isNaN(event.target.valueAsNumber)) onChange(event.target.valueAsNumber)
      }}
      onBlur={() => setTyped(null)}
    />
  )
}

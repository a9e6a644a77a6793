import { t } from '@lingui/core/macro'
import { Input, NativeSelect } from '@/components/input'
import { NumberInput } from '@/form'
import type { Json, Option } from '@/form/types'
import type { NeededValue } from './operations'

/** The control for the value of a condition. */
export function ValueInput({
  takes,
  options,
  value,
  onChange,
}: {
  takes: NeededValue
  options: readonly Option[]
  value: Json | undefined
  onChange: (value: Json) => void
}) {
  if (takes === 'option' && options.length > 0)
    return (
      <NativeSelect
        aria-label={t`Value`}
        className="w-auto min-w-0 max-w-60"
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
  if (takes === 'number')
    return (
      <div className="flex flex-col">
        <NumberInput
          aria-label={t`Value`}
          className="w-28"
          value={typeof value === 'number' ? value : undefined}
          // A rule always compares with a number: while the input is empty, the last one stays.
          onChange={number => number !== undefined && onChange(number)}
        />
      </div>
    )
  return (
    <Input
      aria-label={t`Value`}
      type={takes === 'date' ? 'date' : 'text'}
      className="w-48"
      autoComplete="off"
      value={
        typeof value === 'string' ? value : value === undefined || value === null ? '' : JSON.stringify(value)
      }
      onChange={event => onChange(event.target.value)}
    />
  )
}

import { t } from '@lingui/core/macro'
import { type KeyboardEvent, useState } from 'react'
import { Input } from '@/components/input'
import { classes } from '@/lib/classes'
import type { EditorProps } from '../editor-props'
import { formatFigure } from '../format-value'
import { parseNumberOrText, stepNumber, toTypedText } from '../number-text'
import type { FieldOf } from '../types'
import { EmptyValue } from './empty-value'

export function NumberEditor({
  field,
  value,
  onChange,
  readOnly,
  attributes,
  compact,
}: EditorProps<FieldOf<'number'>>) {
  // The typed text stays as long as it means the value: `1.` and `1.50` don't turn into `1` and `1.5`.
  const [typed, setTyped] = useState(toTypedText(value))
  const text = Object.is(parseNumberOrText(typed), value) ? typed : toTypedText(value)
  if (readOnly) {
    if (value === null) return <EmptyValue />
    return (
      <span>
        {formatFigure(value)} {field.unit}
      </span>
    )
  }
  const type = (next: string) => {
    setTyped(next)
    onChange(parseNumberOrText(next))
  }
  const step = (event: KeyboardEvent) => {
    if (typeof value !== 'number' && value !== null) return
    const next = stepNumber(event, value, field)
    if (next === null) return
    event.preventDefault()
    type(toTypedText(next))
  }
  return (
    <div className={classes('flex items-center gap-x-2 gap-y-1', !compact && 'flex-wrap')}>
      <Input
        {...attributes}
        inputMode={field.integer ? 'numeric' : 'decimal'}
        autoComplete="off"
        value={text}
        required={field.required}
        className={classes('tabular-nums', compact ? 'min-w-20' : 'max-w-40')}
        onChange={event => type(event.target.value)}
        onKeyDown={step}
      />
      {field.unit !== undefined && <span className="text-muted">{field.unit}</span>}
      {!compact && <span className="text-muted text-sm">{getBounds(field)}</span>}
    </div>
  )
}

function getBounds({ min, max }: FieldOf<'number'>): string | null {
  if (min !== undefined && max !== undefined)
    return t`${{ min: formatFigure(min) }} to ${{ max: formatFigure(max) }}`
  if (min !== undefined) return t`${{ min: formatFigure(min) }} or more`
  return max === undefined ? null : t`${{ max: formatFigure(max) }} or less`
}

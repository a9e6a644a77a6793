import { Input } from '@/components/input'
import { formatDate } from '../dates'
import { type EditorProps, toText } from '../editor-props'
import type { FieldOf } from '../types'
import { EmptyValue } from './empty-value'

export function DateEditor({
  field,
  value,
  onChange,
  readOnly,
  attributes,
  compact,
}: EditorProps<FieldOf<'date'>>) {
  const text = toText(value)
  if (readOnly) return text === '' ? <EmptyValue /> : <time dateTime={text}>{formatDate(text)}</time>
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
      <Input
        {...attributes}
        type="date"
        value={text}
        min={field.min}
        max={field.max ?? '9999-12-31'}
        required={field.required}
        className={compact ? 'min-w-36' : 'max-w-48'}
        onChange={event => onChange(event.target.value)}
      />
      {!compact && text !== '' && <span className="text-muted text-sm">{formatDate(text)}</span>}
    </div>
  )
}

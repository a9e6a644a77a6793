import { t } from '@lingui/core/macro'
import { Input } from '@/components/input'
import { type EditorProps, toText } from '../editor-props'
import type { FieldOf } from '../types'
import { isWebAddress } from '../value-types/texts'
import { EmptyValue } from './empty-value'
import { WebLink } from './web-link'

export function LinkEditor({
  field,
  value,
  onChange,
  readOnly,
  attributes,
  compact,
}: EditorProps<FieldOf<'link'>>) {
  const text = toText(value)
  if (readOnly) return text === '' ? <EmptyValue /> : <WebLink address={text} />
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
      <Input
        {...attributes}
        type="text"
        inputMode="url"
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        value={text}
        placeholder={field.placeholder ?? 'https://'}
        required={field.required}
        className={compact ? 'min-w-44' : 'flex-1 basis-64'}
        onChange={event => onChange(event.target.value.trim())}
      />
      {isWebAddress(text) && (
        <WebLink address={text} className="text-sm">
          {t({ message: 'Open', context: 'verb, link' })}
        </WebLink>
      )}
    </div>
  )
}

import { Input } from '@/components/input'
import { type EditorProps, toText } from '../editor-props'
import type { FieldOf } from '../types'
import { PlainText } from './text'

export function EmailEditor({ field, value, onChange, readOnly, attributes }: EditorProps<FieldOf<'email'>>) {
  const text = toText(value)
  if (readOnly) return <PlainText text={text} label={field.label} />
  return (
    <Input
      {...attributes}
      // With the type `email`, browsers would change the typed text.
      type="text"
      inputMode="email"
      autoComplete="off"
      autoCapitalize="none"
      spellCheck={false}
      dir="auto"
      value={text}
      placeholder={field.placeholder}
      required={field.required}
      onChange={event => onChange(event.target.value.trim())}
    />
  )
}

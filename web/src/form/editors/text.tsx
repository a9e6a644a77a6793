import { Input } from '@/components/input'
import { type EditorProps, toText } from '../editor-props'
import type { FieldOf } from '../types'
import { CharacterCount } from './character-count'
import { EmptyValue } from './empty-value'
import { LongValue } from './long-value'

export function TextEditor({ field, value, onChange, readOnly, attributes }: EditorProps<FieldOf<'text'>>) {
  const text = toText(value)
  if (readOnly) return <PlainText text={text} label={field.label} />
  return (
    <>
      <Input
        {...attributes}
        dir="auto"
        value={text}
        placeholder={field.placeholder}
        required={field.required}
        onChange={event => onChange(event.target.value)}
      />
      <CharacterCount text={text} least={field.minLength} most={field.maxLength} />
    </>
  )
}

/** Plain text with its line breaks. */
export function PlainText({ text, label }: { text: string; label: string }) {
  if (text === '') return <EmptyValue />
  return (
    <LongValue text={text} label={label}>
      {shown => (
        <div dir="auto" className="whitespace-pre-wrap [overflow-wrap:anywhere]">
          {shown}
        </div>
      )}
    </LongValue>
  )
}

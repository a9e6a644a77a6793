import { useState } from 'react'
import { TextArea } from '@/components/input'
import { classes } from '@/lib/classes'
import { type ControlAttributes, type EditorProps, toText } from '../editor-props'
import type { FieldOf } from '../types'
import { CharacterCount } from './character-count'
import { SourceInput } from './source-input'
import { PlainText } from './text'

export function LongTextEditor({
  field,
  value,
  onChange,
  readOnly,
  attributes,
  compact,
}: EditorProps<FieldOf<'longText'>>) {
  const text = toText(value)
  if (readOnly) return <PlainText text={text} label={field.label} />
  return (
    <>
      <GrowingText
        attributes={attributes}
        text={text}
        placeholder={field.placeholder}
        required={field.required}
        className={compact ? 'min-h-8' : undefined}
        onChange={onChange}
      />
      <CharacterCount text={text} least={field.minLength} most={field.maxLength} />
    </>
  )
}

/** Measuring longer text on every keystroke would be slow: seconds for a megabyte. */
const MAX_AUTOGROW_LENGTH = 30_000

type GrowingTextProps = {
  text: string
  onChange: (text: string) => void
  attributes: ControlAttributes
  placeholder?: string
  required: boolean
  className?: string
}

/**
 * A text area as tall as its text, up to most of the window; for a very long text, an editor that renders only what is
 * in view.
 */
export function GrowingText({
  text,
  onChange,
  attributes,
  placeholder,
  required,
  className,
}: GrowingTextProps) {
  // Decided once: switching during typing would lose the cursor.
  const [isLong] = useState(text.length > MAX_AUTOGROW_LENGTH)
  if (isLong)
    return <SourceInput text={text} onChange={onChange} attributes={attributes} required={required} />
  return (
    <TextArea
      {...attributes}
      dir="auto"
      value={text}
      placeholder={placeholder}
      required={required}
      className={classes('block max-h-[70dvh] leading-normal', className)}
      onChange={event => onChange(event.target.value)}
    />
  )
}

import { type EditorProps, toText } from '../editor-props'
import type { LabelField } from '../types'
import { MarkdownText } from './markdown-text'

/** The request's text, or the field's own in the reader's language. */
export function LabelText({ field, value }: EditorProps<LabelField>) {
  const text = value === field.original ? (field.text ?? '') : toText(value)
  return <MarkdownText source={text} label={field.label} />
}

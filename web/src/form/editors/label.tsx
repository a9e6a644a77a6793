import { type EditorProps, textOf } from '../editor-props'
import type { LabelField } from '../types'
import { MarkdownText } from './markdown-text'

export function LabelText({ field, value }: EditorProps<LabelField>) {
  return <MarkdownText source={textOf(value)} label={field.label} />
}

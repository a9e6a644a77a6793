import type { ComponentType } from 'react'
import { lazyPart } from '@/components/lazy'
import type { EditorProps } from '../editor-props'
import type { AnyField, FieldOf, FieldTypeName } from '../types'
import { BooleanEditor } from './boolean'
import { ButtonsEditor } from './buttons'
import { CheckboxesEditor } from './checkboxes'
import { CodeEditor } from './code'
import { DateEditor } from './date'
import { DatetimeEditor } from './datetime'
import { DropdownEditor } from './dropdown'
import { EmailEditor } from './email'
import { JsonEditor } from './json'
import { LabelText } from './label'
import { LinkEditor } from './link'
import { LongTextEditor } from './long-text'
import { MarkdownEditor } from './markdown'
import { NumberEditor } from './number'
import { RichTextEditor } from './rich-text'
import { TextEditor } from './text'

const EDITORS: { [Type in FieldTypeName]: ComponentType<EditorProps<FieldOf<Type>>> } = {
  text: TextEditor,
  longText: LongTextEditor,
  markdown: MarkdownEditor,
  richText: RichTextEditor,
  number: NumberEditor,
  boolean: BooleanEditor,
  date: DateEditor,
  datetime: DatetimeEditor,
  email: EmailEditor,
  link: LinkEditor,
  json: JsonEditor,
  code: CodeEditor,
  buttons: ButtonsEditor,
  checkboxes: CheckboxesEditor,
  dropdown: DropdownEditor,
  label: LabelText,
  // Loaded on demand: many review types don't need these.
  image: lazyPart(() => import('./image')),
  audio: lazyPart(() => import('./audio')),
  file: lazyPart(() => import('./file')),
  video: lazyPart(() => import('./video')),
  rating: lazyPart(() => import('./rating')),
  // Loaded on demand, because they include drag and drop, which most review types don't need.
  list: lazyPart(() => import('./list')),
  table: lazyPart(() => import('./table')),
}

/** The editor for a field's type. */
export function Editor(props: EditorProps) {
  const Chosen = EDITORS[props.field.type] as ComponentType<EditorProps>
  return <Chosen {...props} />
}

const ONE_CONTROL = new Set<FieldTypeName>([
  'text',
  'longText',
  'number',
  'date',
  'datetime',
  'email',
  'link',
  'dropdown',
])

/** Whether there is exactly one control that the label belongs to. */
export const hasOneControl = (field: AnyField, readOnly: boolean): boolean =>
  !readOnly && ONE_CONTROL.has(field.type)

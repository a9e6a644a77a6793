import type { ComponentType } from 'react'
import { lazyPart } from '@/components/lazy'
import type { EditorProps } from '../editor-props'
import type { AnyField, ChildField, FieldOf, FieldTypeName } from '../types'
import { BooleanEditor } from './boolean'
import { ButtonsEditor } from './buttons'
import { CheckboxesEditor } from './checkboxes'
import { CodeEditor } from './code'
import { DateEditor } from './date'
import { DatetimeEditor } from './datetime'
import { DropdownEditor } from './dropdown'
import { EmailEditor } from './email'
import { JsonEditor } from './json'
import { LinkEditor } from './link'
import { LongTextEditor } from './long-text'
import { MarkdownEditor } from './markdown'
import { NumberEditor } from './number'
import { RichTextEditor } from './rich-text'
import { TextEditor } from './text'

export const CHILD_EDITORS: { [Type in ChildField['type']]: ComponentType<EditorProps<FieldOf<Type>>> } = {
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
  // Loaded on demand: many review types don't need these.
  image: lazyPart(() => import('./image')),
  audio: lazyPart(() => import('./audio')),
  file: lazyPart(() => import('./file')),
  video: lazyPart(() => import('./video')),
  rating: lazyPart(() => import('./rating')),
}

/** The editor for a child field's type. */
export function ChildEditor(props: EditorProps<ChildField>) {
  const Chosen = CHILD_EDITORS[props.field.type] as ComponentType<EditorProps<ChildField>>
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

import type { ComponentType } from 'react'
import { lazyPart } from '@/components/lazy'
import type { EditorProps } from '../editor-props'
import type { FieldOf, FieldTypeName } from '../types'
import { CHILD_EDITORS } from './child-editor'
import { LabelText } from './label'

const EDITORS: { [Type in FieldTypeName]: ComponentType<EditorProps<FieldOf<Type>>> } = {
  ...CHILD_EDITORS,
  label: LabelText,
  // Loaded on demand, because they include drag and drop, which most review types don't need.
  list: lazyPart(() => import('./list')),
  table: lazyPart(() => import('./table')),
}

/** The editor for a field's type. */
export function Editor(props: EditorProps) {
  const Chosen = EDITORS[props.field.type] as ComponentType<EditorProps>
  return <Chosen {...props} />
}

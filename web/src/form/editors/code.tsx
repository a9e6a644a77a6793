import { type EditorProps, toText } from '../editor-props'
import type { FieldOf } from '../types'
import { CharacterCount } from './character-count'
import { EmptyValue } from './empty-value'
import { SourceInput } from './source-input'

export function CodeEditor({ field, value, onChange, readOnly, attributes }: EditorProps<FieldOf<'code'>>) {
  const text = toText(value)
  if (readOnly)
    return text === '' ? (
      <EmptyValue />
    ) : (
      <SourceInput text={text} language={field.language} attributes={attributes} />
    )
  return (
    <>
      <SourceInput
        text={text}
        language={field.language}
        attributes={attributes}
        required={field.required}
        onChange={onChange}
      />
      <CharacterCount text={text} least={field.minLength} most={field.maxLength} />
    </>
  )
}

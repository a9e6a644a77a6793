import { useState } from 'react'
import type { EditorProps } from '../editor-props'
import { isSameJson } from '../json'
import { parseJsonOrText, toJsonText } from '../json-text'
import type { FieldOf } from '../types'
import { EmptyValue } from './empty-value'
import { SourceInput } from './source-input'

export function JsonEditor({ field, value, onChange, readOnly, attributes }: EditorProps<FieldOf<'json'>>) {
  // The text and the value it stands for. If the value differs now, it was changed elsewhere, and the text follows.
  const [draft, setDraft] = useState(() => ({ text: toJsonText(value), meaning: value }))
  if (!isSameJson(draft.meaning, value)) setDraft({ text: toJsonText(value), meaning: value })
  if (readOnly)
    return value === null ? (
      <EmptyValue />
    ) : (
      <SourceInput text={toJsonText(value)} language="json" attributes={attributes} />
    )
  return (
    <SourceInput
      text={draft.text}
      language="json"
      attributes={attributes}
      required={field.required}
      onChange={text => {
        const meaning = parseJsonOrText(text)
        setDraft({ text, meaning })
        onChange(meaning)
      }}
    />
  )
}

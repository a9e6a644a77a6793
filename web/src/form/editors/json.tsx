import { useState } from 'react'
import type { EditorProps } from '../editor-props'
import { sameJson } from '../json'
import { jsonOrText, jsonText } from '../json-text'
import type { JsonField } from '../types'
import { EmptyValue } from './empty-value'
import { SourceInput } from './source-input'

export function JsonEditor({ field, value, onChange, readOnly, ties }: EditorProps<JsonField>) {
  // The text and the value it stands for. If the value differs now, it was changed elsewhere, and the text follows.
  const [held, setHeld] = useState(() => ({ text: jsonText(value), meaning: value }))
  if (!sameJson(held.meaning, value)) setHeld({ text: jsonText(value), meaning: value })
  if (readOnly)
    return value === null ? (
      <EmptyValue />
    ) : (
      <SourceInput text={jsonText(value)} language="json" ties={ties} />
    )
  return (
    <SourceInput
      text={held.text}
      language="json"
      ties={ties}
      required={field.required}
      onChange={text => {
        const meaning = jsonOrText(text)
        setHeld({ text, meaning })
        onChange(meaning)
      }}
    />
  )
}

import { t } from '@lingui/core/macro'
import { type FormEvent, useState } from 'react'
import { useInferForm } from '@/api/forms/mutations'
import { Button } from '@/components/button'
import { FormError } from '@/components/form-error'
import { Input, LabeledField, TextArea } from '@/components/input'
import { Notice } from '@/components/status'
import type { JsonObject } from '@/form'
import type { ReadableForm } from '../document/read'
import { describeJsonError } from '../live/json-error'

const EXAMPLE = `{
  "subject": "Your order is on its way",
  "body": "Hi Ann, …",
  "confidence": 0.92
}`

/** Creates the fields from pasted sample data. */
export function FromSample({ onMade }: { onMade: (form: ReadableForm, sample: JsonObject) => void }) {
  const [text, setText] = useState('')
  const [name, setName] = useState('')
  const [error, setError] = useState<string | null>(null)
  const [made, setMade] = useState<{ form: ReadableForm; sample: JsonObject; notes: string[] } | null>(null)
  const make = useInferForm()
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const sample = read(text)
    if (typeof sample === 'string') {
      setError(sample)
      return
    }
    setError(null)
    make.mutate(
      { sample, ...(name.trim() && { name: name.trim() }) },
      {
        onSuccess: ({ form, notes }) => {
          // Notes about fields that were left out are shown before the editor opens.
          if (notes.length > 0) setMade({ form, sample, notes })
          else onMade(form, sample)
        },
      },
    )
  }
  if (made)
    return (
      <div className="flex flex-col gap-4">
        <Notice>
          <p className="font-medium">{t`Fields created. Before you continue:`}</p>
          <ul className="mt-1 list-disc ps-5">
            {made.notes.map(note => (
              <li key={note}>{note}</li>
            ))}
          </ul>
        </Notice>
        <div>
          <Button kind="primary" onClick={() => onMade(made.form, made.sample)}>
            {t`Continue to editor`}
          </Button>
        </div>
      </div>
    )
  return (
    <form onSubmit={submit} className="flex flex-col gap-4">
      <FormError error={make.error} />
      <LabeledField
        label={t`Sample data`}
        help={t`Paste the JSON data from one request. We'll create the fields, types, and paths from it. You can change everything later.`}
        error={error}
      >
        {attributes => (
          <TextArea
            {...attributes}
            className="min-h-56 max-h-[50dvh] font-mono text-sm"
            spellCheck={false}
            placeholder={EXAMPLE}
            value={text}
            onChange={event => setText(event.target.value)}
          />
        )}
      </LabeledField>
      <LabeledField label={t`Name (optional)`}>
        {attributes => (
          <Input
            {...attributes}
            maxLength={200}
            autoComplete="off"
            value={name}
            onChange={event => setName(event.target.value)}
          />
        )}
      </LabeledField>
      <div>
        <Button kind="primary" type="submit" busy={make.isPending}>
          {t`Create fields`}
        </Button>
      </div>
    </form>
  )
}

/** The parsed object, or an error message. For a whole request, its data is used. */
function read(text: string): JsonObject | string {
  if (text.trim() === '') return t`Enter a JSON object.`
  try {
    const value: unknown = JSON.parse(text)
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return t`Enter a JSON object.`
    const members = value as JsonObject
    const { data, formId } = members
    if (typeof formId === 'string' && typeof data === 'object' && data !== null && !Array.isArray(data))
      return data
    return members
  } catch {
    return describeJsonError(text)
  }
}

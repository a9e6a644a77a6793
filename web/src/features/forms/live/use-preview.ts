import { useQuery } from '@tanstack/react-query'
import { useCallback, useMemo, useState } from 'react'
import { previewQuery } from '@/api/forms/queries'
import type { TriedOut } from '@/api/forms/types'
import {
  type FormDefinition,
  type Json,
  type JsonObject,
  responseValuesOf,
  type Suggestion,
  submissionOf,
  type Values,
} from '@/form'
import { normalizeForm } from '../document/normal'
import { useEditor } from '../editor/editor-context'
import { useDebounced } from '../editor/use-debounced'

export type PreviewState = {
  /** The latest valid definition, and the values that the service read from the sample. */
  form: FormDefinition | null
  suggestion: Suggestion | null
  values: Values
  change: (fieldId: string, value: Json) => void
  revert: (fieldId: string) => void
  isEdited: boolean
  startAgain: () => void
  responseValues: JsonObject
  event: JsonObject | null
  errors: TriedOut['errors']
  error: Error | null
}

/** A review of the unsaved definition, filled with the sample data; it can be edited like a reviewer would. */
export function usePreview(): PreviewState {
  const { written, sample, document, saved } = useEditor()
  const [edits, setEdits] = useState<Values>({})
  const change = useCallback(
    (fieldId: string, value: Json) => setEdits(before => ({ ...before, [fieldId]: value })),
    [],
  )
  const revert = useCallback((fieldId: string) => setEdits(({ [fieldId]: _, ...rest }) => rest), [])
  const question = useMemo(
    () => ({ text: JSON.stringify({ form: written, data: sample.data }), form: normalizeForm(written) }),
    [written, sample.data],
  )
  const asked = useDebounced(question, 300)
  const answer = useQuery(previewQuery(asked.text))
  const errors = answer.data?.errors ?? []
  const isReadable = !errors.some(error => error.path.startsWith('form'))
  const isCurrent = answer.data !== undefined && isReadable && !answer.isPlaceholderData && !answer.isError
  const [shown, setShown] = useState<{
    form: FormDefinition
    answer: TriedOut
    text: string
  } | null>(null)
  // While the definition has an error, the last valid preview stays.
  if (isCurrent && shown?.text !== asked.text)
    setShown({ form: asked.form, answer: answer.data, text: asked.text })

  const suggestion = useMemo(
    (): Suggestion | null =>
      shown && {
        values: shown.answer.values as Suggestion['values'],
        configs: (shown.answer.configs ?? undefined) as Suggestion['configs'],
        unmapped: shown.answer.unmapped as Suggestion['unmapped'],
        responseValues: shown.answer.responseValues as Suggestion['responseValues'],
      },
    [shown],
  )
  const form = shown?.form ?? null
  const values = useMemo(
    () => (suggestion === null ? {} : { ...suggestion.values, ...known(edits, suggestion.values) }),
    [suggestion, edits],
  )
  const responseValues = useMemo(
    () => (form && suggestion ? (responseValuesOf(form, suggestion, values) as unknown as JsonObject) : {}),
    [form, suggestion, values],
  )
  const submitted = useMemo(
    () => (form && suggestion ? submissionOf(form, suggestion, values) : {}),
    [form, suggestion, values],
  )
  const eventText = useDebounced(
    useMemo(
      () =>
        JSON.stringify({
          form: written,
          data: sample.data,
          formId: saved?.formId,
          submitted: { ...(!document.trigger && { response: 'approved' }), data: submitted },
        }),
      [written, sample.data, submitted, document.trigger, saved?.formId],
    ),
    450,
  )
  const withEvent = useQuery(previewQuery(eventText))
  return {
    form,
    suggestion,
    values,
    change,
    revert,
    isEdited: Object.keys(edits).length > 0,
    startAgain: () => setEdits({}),
    responseValues,
    event: (withEvent.data?.event ?? null) as JsonObject | null,
    errors: errors.filter(error => !error.path.startsWith('form')),
    error: answer.error,
  }
}

const known = (edits: Values, values: Values): Values =>
  Object.fromEntries(Object.entries(edits).filter(([id]) => Object.hasOwn(values, id)))

import { useCallback, useEffect, useMemo, useState } from 'react'
import {
  applySubmission,
  checkValues,
  type FieldError,
  type FormDefinition,
  focusError,
  getFieldErrors,
  initialValues,
  type Json,
  type JsonObject,
  type Suggestion,
  submissionOf,
  type Values,
} from '@/form'
import { readFromTab, storeInTab } from '@/lib/tab-storage'
import { hasSameFields } from './versions'

export const PREFIX = 'trigger'

type State = {
  form: FormDefinition
  suggestion: Suggestion
  values: Values
  touched: ReadonlySet<string>
  /** Set once the member has tried to submit: from then on all errors are shown. */
  isAttempted: boolean
  serverErrors: readonly FieldError[]
  /** The service no longer accepts this version: the new one is shown as soon as it's loaded. */
  isRefused: boolean
}

export type FormFilling = ReturnType<typeof useFormFilling>

/**
 * The state of a trigger form that is being filled out. If the form changes, the shown version doesn't change during
 * typing: the new version appears on request, and values that still fit are kept. `draftKey` says where the tab stores
 * the values.
 */
export function useFormFilling(form: FormDefinition, suggestion: Suggestion, draftKey: string | null) {
  const [keptAs] = useState(draftKey)
  const [state, setState] = useState<State>(() => {
    const draft = readFromTab<Json>(keptAs)
    const hasDraft = typeof draft === 'object' && draft !== null && !Array.isArray(draft)
    const values = hasDraft ? applySubmission(form, suggestion, draft) : initialValues(form, suggestion)
    return {
      form,
      suggestion,
      values,
      touched: new Set(),
      isAttempted: false,
      serverErrors: [],
      isRefused: false,
    }
  })
  const data = useMemo(() => submissionOf(state.form, state.suggestion, state.values), [state])
  const isEmpty = Object.keys(data).length === 0
  const isOutdated = state.form.version !== form.version
  const showNew = () =>
    setState({
      ...state,
      form,
      suggestion,
      values: applySubmission(form, suggestion, data),
      serverErrors: [],
      isRefused: false,
    })
  if (isOutdated && (isEmpty || state.isRefused || hasSameFields(state, { form, suggestion }))) showNew()
  useEffect(() => storeInTab(keptAs, isEmpty ? null : data), [keptAs, isEmpty, data])

  const own = useMemo(() => checkValues(state.form, state.suggestion, state.values, null), [state])
  const shown = own.filter(error => state.isAttempted || state.touched.has(error.fieldId))
  const said = new Set(shown.map(error => error.path))
  const errors = [...shown, ...state.serverErrors.filter(error => !said.has(error.path))]

  const onChange = useCallback((fieldId: string, value: Json) => {
    setState(now => ({
      ...now,
      values: { ...now.values, [fieldId]: value },
      touched: new Set([...now.touched, fieldId]),
      serverErrors: now.serverErrors.filter(error => error.fieldId !== fieldId),
    }))
  }, [])

  return {
    form: state.form,
    suggestion: state.suggestion,
    values: state.values,
    errors,
    isEmpty,
    /** There is a newer version than the one on screen. */
    isOutdated,
    showNew,
    /** The service said that there is a newer version. */
    refuseVersion: () => setState(now => ({ ...now, isRefused: true })),
    onChange,
    onRevert: (fieldId: string) => onChange(fieldId, state.suggestion.values[fieldId] ?? null),
    /** The data to send; null if there are errors, which the fields then show. */
    attempt: (): JsonObject | null => {
      setState(now => ({ ...now, isAttempted: true }))
      const [first] = own
      if (first === undefined) return data
      requestAnimationFrame(() => focusError(first, PREFIX))
      return null
    },
    /** Shows the service's errors at the fields. */
    refuse: (details: Parameters<typeof getFieldErrors>[1]) => {
      const serverErrors = getFieldErrors(state.form, details)
      setState(now => ({ ...now, serverErrors }))
      const [first] = serverErrors
      if (first !== undefined) requestAnimationFrame(() => focusError(first, PREFIX))
    },
    /** It was submitted: empties the form. */
    clear: () => {
      storeInTab(keptAs, null)
      setState(now => ({
        ...now,
        values: initialValues(now.form, now.suggestion),
        touched: new Set(),
        isAttempted: false,
        serverErrors: [],
      }))
    },
  }
}

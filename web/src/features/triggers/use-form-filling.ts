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
import { type DraftKey, readDraft, storeDraft } from './drafts'
import { hasSameFields } from './versions'

export const PREFIX = 'trigger'

type State = {
  form: FormDefinition
  suggestion: Suggestion
  values: Values
  touched: ReadonlySet<string>
  /** Set once the person has tried to submit: from then on all faults are shown. */
  isAttempted: boolean
  serverFaults: readonly FieldError[]
  /** The service takes this version no more: the new one is shown as soon as it is there. */
  isRefused: boolean
}

export type FormFilling = ReturnType<typeof useFormFilling>

/**
 * A trigger form while it is filled in. When the form changes meanwhile, it does not change under the hands of somebody
 * who types: the new version comes when it is asked for, and what still fits stays.
 */
export function useFormFilling(form: FormDefinition, suggestion: Suggestion, as: DraftKey) {
  const [keptAs] = useState(as)
  const [state, setState] = useState<State>(() => {
    const kept = readDraft(keptAs)
    const values = kept === null ? initialValues(form, suggestion) : applySubmission(form, suggestion, kept)
    return {
      form,
      suggestion,
      values,
      touched: new Set(),
      isAttempted: false,
      serverFaults: [],
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
      serverFaults: [],
      isRefused: false,
    })
  if (isOutdated && (isEmpty || state.isRefused || hasSameFields(state, { form, suggestion }))) showNew()
  useEffect(() => storeDraft(keptAs, isEmpty ? null : data), [keptAs, isEmpty, data])

  const own = useMemo(() => checkValues(state.form, state.suggestion, state.values, null), [state])
  const shown = own.filter(fault => state.isAttempted || state.touched.has(fault.fieldId))
  const said = new Set(shown.map(fault => fault.path))
  const faults = [...shown, ...state.serverFaults.filter(fault => !said.has(fault.path))]

  const onChange = useCallback((fieldId: string, value: Json) => {
    setState(now => ({
      ...now,
      values: { ...now.values, [fieldId]: value },
      touched: new Set([...now.touched, fieldId]),
      serverFaults: now.serverFaults.filter(fault => fault.fieldId !== fieldId),
    }))
  }, [])

  return {
    form: state.form,
    suggestion: state.suggestion,
    values: state.values,
    faults,
    isEmpty,
    /** There is a newer version than the one that is being filled in. */
    isOutdated,
    showNew,
    /** The service said that there is one. */
    refuseVersion: () => setState(now => ({ ...now, isRefused: true })),
    onChange,
    onRevert: (fieldId: string) => onChange(fieldId, state.suggestion.values[fieldId] ?? null),
    /** What to send; null when something is wrong, which the fields say then. */
    attempt: (): JsonObject | null => {
      setState(now => ({ ...now, isAttempted: true }))
      const [first] = own
      if (first === undefined) return data
      requestAnimationFrame(() => focusError(first, PREFIX))
      return null
    },
    /** What the service found wrong, at the fields. */
    refuse: (errors: Parameters<typeof getFieldErrors>[1]) => {
      const serverFaults = getFieldErrors(state.form, errors)
      setState(now => ({ ...now, serverFaults }))
      const [first] = serverFaults
      if (first !== undefined) requestAnimationFrame(() => focusError(first, PREFIX))
    },
    /** It has arrived: an empty form again. */
    clear: () => {
      storeDraft(keptAs, null)
      setState(now => ({
        ...now,
        values: initialValues(now.form, now.suggestion),
        touched: new Set(),
        isAttempted: false,
        serverFaults: [],
      }))
    },
  }
}

import { useMutation, useQueryClient } from '@tanstack/react-query'
import { API, api, data } from '../client'
import { call } from './call'
import { formKeys } from './queries'
import type { Form, JsonValue } from './types'

function useChanged() {
  const client = useQueryClient()
  return () => client.invalidateQueries({ queryKey: formKeys.all })
}

/** Makes a review type, or the next version of one; refused with 409 where somebody saved another in the meantime. */
export function useSaveForm() {
  const client = useQueryClient()
  const changed = useChanged()
  return useMutation({
    mutationFn: ({ form, formId, version }: { form: object; formId: string | null; version: number }) =>
      formId === null
        ? call<Form>('POST', '/forms', form)
        : call<Form>('PATCH', `/forms/${encodeURIComponent(formId)}`, { ...form, version }),
    onSuccess: saved => {
      client.setQueryData(formKeys.one(saved.formId), saved)
      return changed()
    },
  })
}

export function useRenameForm() {
  const changed = useChanged()
  return useMutation({
    mutationFn: ({ formId, name }: { formId: string; name: string }) =>
      call<Form>('PATCH', `/forms/${encodeURIComponent(formId)}`, { name }),
    onSuccess: changed,
  })
}

export function useDuplicateForm() {
  const changed = useChanged()
  return useMutation({
    mutationFn: (formId: string) => call<Form>('POST', `/forms/${encodeURIComponent(formId)}/duplicate`, {}),
    onSuccess: changed,
  })
}

export function useArchiveForm() {
  const changed = useChanged()
  return useMutation({
    mutationFn: (formId: string) => api.DELETE('/forms/{formId}', { params: { path: { formId } } }),
    onSuccess: changed,
  })
}

export function useUnarchiveForm() {
  const changed = useChanged()
  return useMutation({
    mutationFn: (formId: string) => call<Form>('POST', `/forms/${encodeURIComponent(formId)}/unarchive`),
    onSuccess: changed,
  })
}

export type Imported = { form: Form; notes: string[] }

export function useImportForm() {
  const changed = useChanged()
  return useMutation({
    mutationFn: (document: JsonValue) => call<Imported>('POST', '/forms/import', document),
    onSuccess: changed,
  })
}

/** Fields that fit what an agent sends. Nothing is saved. */
export function useFromSample() {
  return useMutation({
    mutationFn: (question: { sample: JsonValue; name?: string }) =>
      call<{ form: object; notes: string[] }>('POST', '/forms/fromSample', question),
  })
}

export const exportAddress = (formId: string): string => `${API}/forms/${encodeURIComponent(formId)}/export`

export const readForm = (formId: string): Promise<Form> =>
  data(api.GET('/forms/{formId}', { params: { path: { formId } } }))

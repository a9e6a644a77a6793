import { useMutation, useQueryClient } from '@tanstack/react-query'
import { API, api, data, inPageLanguage, type Schemas } from '../client'
import { formKeys } from './queries'
import type { Definition, Form } from './types'

function useStoreForm() {
  const client = useQueryClient()
  return () => client.invalidateQueries({ queryKey: formKeys.all })
}

/** Creates a review type or its next version; fails with 409 if someone else saved one first. */
export function useSaveForm() {
  const client = useQueryClient()
  const changed = useStoreForm()
  return useMutation({
    mutationFn: ({ form, formId, version }: { form: Definition; formId: string | null; version: number }) =>
      // The service validates the definition and reports every error.
      formId === null
        ? data(api.POST('/forms', { body: form as Schemas['NewForm'] }))
        : data(api.PATCH('/forms/{formId}', { params: { path: { formId } }, body: { ...form, version } })),
    onSuccess: saved => {
      client.setQueryData(formKeys.one(saved.formId), saved)
      return changed()
    },
  })
}

export function useRenameForm() {
  const changed = useStoreForm()
  return useMutation({
    mutationFn: ({ formId, name }: { formId: string; name: string }) =>
      data(api.PATCH('/forms/{formId}', { params: { path: { formId } }, body: { name } })),
    onSuccess: changed,
  })
}

export function useDuplicateForm() {
  const changed = useStoreForm()
  return useMutation({
    mutationFn: (formId: string) =>
      data(api.POST('/forms/{formId}/duplicate', { params: { path: { formId } }, body: {} })),
    onSuccess: changed,
  })
}

export function useArchiveForm() {
  const changed = useStoreForm()
  return useMutation({
    mutationFn: (formId: string) => api.DELETE('/forms/{formId}', { params: { path: { formId } } }),
    onSuccess: changed,
  })
}

export function useUnarchiveForm() {
  const changed = useStoreForm()
  return useMutation({
    mutationFn: (formId: string) =>
      data(api.POST('/forms/{formId}/unarchive', { params: { path: { formId } } })),
    onSuccess: changed,
  })
}

/** Creates a review type from a file. */
export function useImportForm() {
  const changed = useStoreForm()
  return useMutation({
    mutationFn: async (definition: Definition) =>
      // The file may contain anything; the service validates it.
      inPageLanguage(await data(api.POST('/forms/import', { body: definition as Schemas['FormFile'] }))),
    onSuccess: changed,
  })
}

/** Fields that fit an agent's sample data. Nothing is saved. */
export function useInferForm() {
  return useMutation({
    mutationFn: async (question: Schemas['Sample']) =>
      inPageLanguage(await data(api.POST('/forms/fromSample', { body: question }))),
  })
}

export const getExportUrl = (formId: string): string => `${API}/forms/${encodeURIComponent(formId)}/export`

export const fetchForm = (formId: string): Promise<Form> =>
  data(api.GET('/forms/{formId}', { params: { path: { formId } } }))

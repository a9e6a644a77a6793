import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { api, data } from '../client'
import { everyPage } from '../settings/every-page'
import { call, callForText } from './call'
import type {
  Check,
  CodeLanguage,
  DefinitionPreview,
  Form,
  FormRow,
  JsonMembers,
  Template,
  Version,
} from './types'

/** Everything here begins with `forms`, which the live line reads anew when somebody changes a review type. */
export const formKeys = {
  all: ['forms'] as const,
  list: (archived: boolean) => ['forms', 'list', archived] as const,
  one: (formId: string) => ['forms', 'one', formId] as const,
  versions: (formId: string) => ['forms', 'versions', formId] as const,
}

export const formListQuery = (archived: boolean) =>
  queryOptions({
    queryKey: formKeys.list(archived),
    queryFn: ({ signal }): Promise<FormRow[]> =>
      everyPage(cursor =>
        data(api.GET('/forms', { params: { query: { cursor, limit: 200, archived } }, signal })),
      ),
  })

export const formQuery = (formId: string) =>
  queryOptions({
    queryKey: formKeys.one(formId),
    queryFn: ({ signal }): Promise<Form> =>
      data(api.GET('/forms/{formId}', { params: { path: { formId } }, signal })),
  })

export const versionsQuery = (formId: string) =>
  queryOptions({
    queryKey: formKeys.versions(formId),
    queryFn: ({ signal }): Promise<Version[]> =>
      everyPage(cursor =>
        call(
          'GET',
          `/forms/${encodeURIComponent(formId)}/versions?limit=200${cursor ? `&cursor=${cursor}` : ''}`,
          undefined,
          signal,
        ),
      ),
  })

export const templatesQuery = queryOptions({
  // They come with the service, and never change while it runs.
  queryKey: ['review-type-templates'],
  queryFn: async ({ signal }) =>
    (await call<{ items: Template[] }>('GET', '/forms/templates', undefined, signal)).items,
  staleTime: Number.POSITIVE_INFINITY,
})

/** What is wrong with a definition, and what saving it would change. `text` is its JSON, which is what it depends on. */
export const checkQuery = (text: string, formId: string | null) =>
  queryOptions({
    queryKey: ['review-type-check', formId, text],
    queryFn: ({ signal }) => checkForm(JSON.parse(text), formId, signal),
    placeholderData: keepPreviousData,
    staleTime: 30_000,
    gcTime: 60_000,
    retry: false,
  })

export const checkForm = (form: unknown, formId: string | null, signal?: AbortSignal): Promise<Check> =>
  call('POST', '/forms/check', { form, ...(formId !== null && { formId }) }, signal)

export type PreviewQuestion = {
  form: unknown
  data: JsonMembers
  submitted?: { response: 'approved' | 'rejected' | null; data: JsonMembers }
}

export const previewQuery = (text: string) =>
  queryOptions({
    queryKey: ['review-type-preview', text],
    queryFn: ({ signal }): Promise<DefinitionPreview> =>
      call('POST', '/forms/preview', JSON.parse(text) as PreviewQuestion, signal),
    placeholderData: keepPreviousData,
    staleTime: 30_000,
    gcTime: 60_000,
    retry: false,
  })

export const codeQuery = (formId: string, version: number, language: CodeLanguage) =>
  queryOptions({
    queryKey: ['review-type-code', formId, version, language],
    queryFn: ({ signal }) =>
      callForText(`/forms/${encodeURIComponent(formId)}/code?language=${language}`, signal),
  })

import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { api, data, inPageLanguage } from '../client'
import { fetchAllPages } from '../settings/pagination'
import type { Check, CodeLanguage, Definition, TryOut } from './types'

/** All keys start with `forms`, which live updates refetch when someone changes a review type. */
export const formKeys = {
  all: ['forms'] as const,
  one: (formId: string) => ['forms', 'one', formId] as const,
  versions: (formId: string) => ['forms', 'versions', formId] as const,
}

export const formQuery = (formId: string) =>
  queryOptions({
    queryKey: formKeys.one(formId),
    queryFn: ({ signal }) => data(api.GET('/forms/{formId}', { params: { path: { formId } }, signal })),
  })

export const versionsQuery = (formId: string) =>
  queryOptions({
    queryKey: formKeys.versions(formId),
    queryFn: ({ signal }) =>
      fetchAllPages(cursor =>
        data(
          api.GET('/forms/{formId}/versions', {
            params: { path: { formId }, query: { cursor, limit: 200 } },
            signal,
          }),
        ),
      ),
  })

/** The templates in the language of the page: a review type starts with the texts of whoever creates it. */
export const templatesQuery = (language: string) =>
  queryOptions({
    // Templates come with the service and never change while it runs.
    queryKey: ['review-type-templates', language],
    queryFn: async ({ signal }) => {
      const { items } = await data(api.GET('/forms/templates', { signal }))
      return items.map(template => ({ ...template, ...template.localized }))
    },
    staleTime: 'static',
  })

/** The errors of a definition, and what saving it would change. `text`, the definition's JSON, is the cache key. */
export const checkQuery = (text: string, formId: string | null) =>
  queryOptions({
    queryKey: ['review-type-check', formId, text],
    queryFn: ({ signal }) => checkForm(JSON.parse(text) as Definition, formId, signal),
    placeholderData: keepPreviousData,
    staleTime: 30_000,
    gcTime: 60_000,
    retry: false,
  })

export async function checkForm(
  form: Definition,
  formId: string | null,
  signal?: AbortSignal,
): Promise<Check> {
  const check = await data(api.POST('/forms/check', { body: { form, formId }, signal }))
  return {
    ...check,
    errors: check.errors.map(inPageLanguage),
    warnings: check.warnings.map(inPageLanguage),
    changes: check.changes && {
      ...check.changes,
      breaking: check.changes.breaking.map(inPageLanguage),
      compatible: check.changes.compatible.map(inPageLanguage),
    },
  }
}

/** What a reviewer would see and what would be sent back; `text` is the JSON of the request. */
export const previewQuery = (text: string) =>
  queryOptions({
    queryKey: ['review-type-preview', text],
    queryFn: async ({ signal }) => {
      const preview = await data(api.POST('/forms/preview', { body: JSON.parse(text) as TryOut, signal }))
      return { ...preview, errors: preview.errors.map(inPageLanguage) }
    },
    placeholderData: keepPreviousData,
    staleTime: 30_000,
    gcTime: 60_000,
    retry: false,
  })

export const codeQuery = (formId: string, version: number, language: CodeLanguage) =>
  queryOptions({
    queryKey: ['review-type-code', formId, version, language],
    queryFn: async ({ signal }) =>
      (await data(
        api.GET('/forms/{formId}/code', {
          params: { path: { formId }, query: { language, version } },
          // The JSON Schema is shown exactly as the service wrote it.
          parseAs: 'text',
          signal,
        }),
      )) as string,
  })

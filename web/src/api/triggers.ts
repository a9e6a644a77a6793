import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import createClient from 'openapi-fetch'
import { API, api, data, isStatus, type Schemas, throwApiErrors } from './client'
import { localizeInPageLanguage } from './forms/localize'
import type { paths } from './schema'

export type TriggerRow = Schemas['TriggerRow']
export type TriggerForm = Schemas['TriggerForm']
export type PublicTrigger = Schemas['PublicTrigger']
export type PublicLink = Schemas['PublicLink']
export type StartedWorkflow = Schemas['WorkflowStarted']
export type Challenge = Schemas['ChallengeAnswer']

/** All keys start with `forms`, which live updates refetch when someone changes a review type. */
export const triggerKeys = {
  list: ['forms', 'triggers'] as const,
  trigger: (formId: string) => ['forms', 'trigger', formId] as const,
  link: (formId: string) => ['forms', 'public-link', formId] as const,
}

export const triggersQuery = queryOptions({
  queryKey: triggerKeys.list,
  queryFn: async ({ signal }) => (await data(api.GET('/triggers', { signal }))).items,
  staleTime: 60_000,
})

/** With the form's texts in the language of the page. */
function localizedTrigger<Trigger extends { formName: string; definition: object & { name: string } }>(
  trigger: Trigger,
): Trigger {
  const definition = localizeInPageLanguage(trigger.definition)
  return definition === trigger.definition ? trigger : { ...trigger, definition, formName: definition.name }
}

export const triggerQuery = (formId: string) =>
  queryOptions({
    queryKey: triggerKeys.trigger(formId),
    queryFn: ({ signal }) => data(api.GET('/triggers/{formId}', { params: { path: { formId } }, signal })),
    select: localizedTrigger,
    retry: false,
  })

/** `key` is the same for every attempt to send one submission, so that it starts one run. */
export const submitTrigger = (
  formId: string,
  body: Schemas['TriggerSubmission'],
  key: string,
): Promise<StartedWorkflow> =>
  data(
    api.POST('/triggers/{formId}/submissions', {
      params: { path: { formId }, header: { 'Idempotency-Key': key } },
      body,
    }),
  )

/** The link that makes a form public; null if there is none. */
export const publicLinkQuery = (formId: string) =>
  queryOptions({
    queryKey: triggerKeys.link(formId),
    queryFn: async ({ signal }): Promise<PublicLink | null> => {
      try {
        return await data(api.GET('/forms/{formId}/publicLink', { params: { path: { formId } }, signal }))
      } catch (error) {
        if (isStatus(error, 404)) return null
        throw error
      }
    },
  })

export function usePublicLink(formId: string) {
  const client = useQueryClient()
  const path = { params: { path: { formId } } }
  const keep = (link: PublicLink | null) => {
    client.setQueryData(triggerKeys.link(formId), link)
    return client.invalidateQueries({ queryKey: triggerKeys.list })
  }
  return {
    publish: useMutation({
      mutationFn: (perHour: number) =>
        data(api.PUT('/forms/{formId}/publicLink', { ...path, body: { perHour } })),
      onSuccess: keep,
    }),
    rotate: useMutation({
      mutationFn: () => data(api.POST('/forms/{formId}/publicLink/rotate', path)),
      onSuccess: keep,
    }),
    unpublish: useMutation({
      mutationFn: () => api.DELETE('/forms/{formId}/publicLink', path),
      onSuccess: () => keep(null),
    }),
  }
}

/** For visitors: the client sends no cookies, so a public form never uses a member's sign-in. */
const publicClient = createClient<paths>({ baseUrl: API, credentials: 'omit' })
publicClient.use(throwApiErrors)

export const publicTriggerQuery = (token: string) =>
  queryOptions({
    queryKey: ['public-trigger', token],
    queryFn: ({ signal }) =>
      data(publicClient.GET('/public/triggers/{token}', { params: { path: { token } }, signal })),
    select: localizedTrigger,
    retry: false,
    refetchOnWindowFocus: false,
    staleTime: Number.POSITIVE_INFINITY,
  })

export const fetchChallenge = (token: string, signal: AbortSignal): Promise<Challenge> =>
  data(publicClient.POST('/public/triggers/{token}/challenge', { params: { path: { token } }, signal }))

export const submitPublicTrigger = (token: string, body: Schemas['PublicSubmission']) =>
  data(publicClient.POST('/public/triggers/{token}/submissions', { params: { path: { token } }, body }))

import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { api, data, type Schemas } from '../client'

export type SignInSession = Schemas['OpenSession']

const sessionsKey = ['sign-in-sessions'] as const

export const sessionsQuery = queryOptions({
  queryKey: sessionsKey,
  queryFn: async ({ signal }) => (await data(api.GET('/auth/sessions', { signal }))).items,
})

export function useEndSession() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (sessionId: string) =>
      api.DELETE('/auth/sessions/{sessionId}', { params: { path: { sessionId } } }),
    onSettled: () => client.invalidateQueries({ queryKey: sessionsKey }),
  })
}

export function useEndOtherSessions() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: () => api.DELETE('/auth/sessions'),
    onSettled: () => client.invalidateQueries({ queryKey: sessionsKey }),
  })
}

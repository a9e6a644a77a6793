import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { api, data, type Schemas } from '../client'
import { fetchAllPages } from './pagination'

export type Key = Schemas['Key']
export type Scope = Key['scopes'][number]

const keysKey = ['api-keys'] as const

export const keysQuery = queryOptions({
  queryKey: keysKey,
  queryFn: ({ signal }) =>
    fetchAllPages(cursor => data(api.GET('/apiKeys', { params: { query: { cursor, limit: 200 } }, signal }))),
})

/** Resolves with the key, which is shown once and not cached. */
export function useCreateKey() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (body: { name: string; scopes: Scope[]; expiresAt: string | null }) =>
      data(api.POST('/apiKeys', { body })),
    onSuccess: () => client.invalidateQueries({ queryKey: keysKey }),
    gcTime: 0,
  })
}

export function useRevokeKey() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (keyId: string) => api.DELETE('/apiKeys/{keyId}', { params: { path: { keyId } } }),
    onSuccess: () => client.invalidateQueries({ queryKey: keysKey }),
  })
}

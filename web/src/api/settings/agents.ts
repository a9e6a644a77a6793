import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { api, data, inPageLanguage, type Schemas } from '../client'
import { fetchAllPages } from './pagination'

export type Agent = Schemas['Agent']
export type AgentBody = Pick<Agent, 'name' | 'description' | 'webhookUrl' | 'chat'>
export type TestOutcome = Schemas['TestOutcome']

const agentsKey = ['agents'] as const

export const allAgentsQuery = queryOptions({
  queryKey: [...agentsKey, 'all'],
  queryFn: ({ signal }) =>
    fetchAllPages(cursor => data(api.GET('/agents', { params: { query: { cursor, limit: 200 } }, signal }))),
})

/** Creates an agent, and resolves with its secret only this once, or updates the given one. */
export function useSaveAgent(agentId: string | null) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: async (body: AgentBody): Promise<Agent & { webhookSecret?: string }> =>
      agentId === null
        ? data(api.POST('/agents', { body }))
        : data(api.PATCH('/agents/{agentId}', { params: { path: { agentId } }, body })),
    onSuccess: () => client.invalidateQueries({ queryKey: agentsKey }),
    gcTime: 0,
  })
}

export function useDeleteAgent() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (agentId: string) => api.DELETE('/agents/{agentId}', { params: { path: { agentId } } }),
    onSuccess: () => client.invalidateQueries({ queryKey: agentsKey }),
  })
}

export function useRotateSecret(agentId: string) {
  return useMutation({
    mutationFn: async () =>
      (await data(api.POST('/agents/{agentId}/rotateSecret', { params: { path: { agentId } } })))
        .webhookSecret,
    gcTime: 0,
  })
}

export function useSendTestEvent(agentId: string) {
  return useMutation({
    mutationFn: async () =>
      inPageLanguage(await data(api.POST('/agents/{agentId}/testEvent', { params: { path: { agentId } } }))),
  })
}

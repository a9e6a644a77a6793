import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { api, data, type Schemas } from '../client'
import { meKey } from '../session'
import { fetchAllPages } from './pagination'

export type Group = Schemas['Group']

const groupsKey = ['groups'] as const

export const groupsQuery = queryOptions({
  queryKey: [...groupsKey, 'all'],
  queryFn: ({ signal }) =>
    fetchAllPages(cursor => data(api.GET('/groups', { params: { query: { cursor, limit: 200 } }, signal }))),
})

function useInvalidateGroups() {
  const client = useQueryClient()
  return () => {
    client.invalidateQueries({ queryKey: groupsKey })
    // The member's groups are part of their profile.
    client.invalidateQueries({ queryKey: meKey })
  }
}

/** Creates a group, or updates the given one. */
export function useSaveGroup(groupId: string | null) {
  const changed = useInvalidateGroups()
  return useMutation({
    mutationFn: (body: { name: string; members: string[] }) =>
      groupId === null
        ? data(api.POST('/groups', { body }))
        : data(api.PATCH('/groups/{groupId}', { params: { path: { groupId } }, body })),
    onSuccess: changed,
  })
}

export function useDeleteGroup() {
  const changed = useInvalidateGroups()
  return useMutation({
    mutationFn: (groupId: string) => api.DELETE('/groups/{groupId}', { params: { path: { groupId } } }),
    onSuccess: changed,
  })
}

import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { api, data, type Schemas } from '../client'
import { fetchAllPages } from './pagination'

export type User = Schemas['User']
export type Role = User['role']
export type Invitation = Schemas['Invitation']
export type UserChange = Schemas['UserChange']

const usersKey = ['users'] as const

/** All members, including disabled ones. */
export const peopleQuery = queryOptions({
  queryKey: [...usersKey, 'everybody'],
  queryFn: ({ signal }) =>
    fetchAllPages(cursor => data(api.GET('/users', { params: { query: { cursor, limit: 200 } }, signal }))),
})

export function useInvite() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (invitation: Invitation) => data(api.POST('/users', { body: invitation })),
    onSuccess: () => client.invalidateQueries({ queryKey: usersKey }),
    gcTime: 0,
  })
}

export function useUpdateUser(userId: string) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (change: UserChange) =>
      data(api.PATCH('/users/{userId}', { params: { path: { userId } }, body: change })),
    onSuccess: () => client.invalidateQueries({ queryKey: usersKey }),
  })
}

export function useCreateSignInLink(userId: string) {
  return useMutation({
    mutationFn: () => data(api.POST('/users/{userId}/signInLink', { params: { path: { userId } } })),
    gcTime: 0,
  })
}

export function useApproveInvitation(userId: string) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: () => data(api.POST('/users/{userId}/approveInvitation', { params: { path: { userId } } })),
    onSuccess: () => client.invalidateQueries({ queryKey: usersKey }),
    gcTime: 0,
  })
}

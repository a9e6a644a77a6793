import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { api, data, type Schemas } from '../client'
import { meKey } from '../session'

export type Account = Schemas['Account']
export type AccountChange = Schemas['AccountChange']
export type Usage = Schemas['Usage']
export type Plan = Account['plan']

const accountKey = ['account'] as const
const usageKey = ['usage'] as const

export const accountQuery = queryOptions({
  queryKey: accountKey,
  queryFn: ({ signal }) => data(api.GET('/account', { signal })),
})

export const usageQuery = queryOptions({
  queryKey: usageKey,
  queryFn: ({ signal }) => data(api.GET('/usage', { signal })),
})

export const updateAccount = (change: AccountChange): Promise<Account> =>
  data(api.PATCH('/account', { body: change }))

export function useUpdateAccount() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: updateAccount,
    onSuccess: account => {
      client.setQueryData(accountKey, account)
      client.invalidateQueries({ queryKey: meKey })
      client.invalidateQueries({ queryKey: usageKey })
    },
  })
}

/** Resolves with the new secret, which is shown once and not cached. */
export function useRotateAuditSecret() {
  return useMutation({
    mutationFn: async () => (await data(api.POST('/account/rotateAuditSecret'))).auditWebhookSecret,
    gcTime: 0,
  })
}

import { useMutation, useQueryClient } from '@tanstack/react-query'
import { api, data, type Schemas } from '../client'
import { type Me, meKey, wholeMe } from '../session'

export type Preferences = Me['preferences']
export type ProfileChange = Schemas['ProfileChange']

export const changeProfile = async (change: ProfileChange): Promise<Me> =>
  wholeMe(await data(api.PATCH('/auth/me', { body: change })))

export function useChangeProfile() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: changeProfile,
    onSuccess: me => {
      client.setQueryData(meKey, me)
      client.invalidateQueries({ queryKey: ['users'] })
    },
  })
}

/** Choices count at once; what the service refuses goes back to what it was. */
export function useChoose() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (choice: Partial<Preferences>) => changeProfile({ preferences: choice }),
    onMutate: choice => {
      const before = client.getQueryData<Me>(meKey)
      if (before) {
        client.setQueryData<Me>(meKey, { ...before, preferences: { ...before.preferences, ...choice } })
      }
      return { before }
    },
    onError: (_error, _choice, context) => {
      if (context?.before) client.setQueryData(meKey, context.before)
    },
    onSuccess: me => client.setQueryData(meKey, me),
  })
}

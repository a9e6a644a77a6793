import { type QueryClient, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { api, data, type Schemas } from '../client'
import { type Me, meKey, parseMe } from '../session'

export type Preferences = Me['preferences']
export type ProfileChange = Schemas['ProfileChange']
/** `null` resets a preference. The fields that say whether something was chosen are derived. */
export type PreferenceChange = Partial<Omit<Preferences, 'email' | 'digestHour'>> & {
  email?: Preferences['email'] | null
  digestHour?: number | null
}

const nextMailKey = ['next-mail'] as const

/** When the next mail about reviews is due, by the member's preferences. */
export const nextMailQuery = queryOptions({
  queryKey: nextMailKey,
  queryFn: ({ signal }) => data(api.GET('/auth/me/nextMail', { signal })),
})

export const updateProfile = async (change: ProfileChange): Promise<Me> =>
  parseMe(await data(api.PATCH('/auth/me', { body: change })))

export const confirmEmail = async (token: string): Promise<Me> =>
  parseMe(await data(api.POST('/auth/confirmEmail', { body: { token } })))

/** Changes of the profile are sent one after the other, so that the last choice is kept. */
const profileChanges = { mutationKey: ['profile'], scope: { id: 'profile' } } as const

/** Whether no other change is waiting or being sent. Until then, an answer lacks the choices made since. */
const isLastChange = (client: QueryClient) =>
  client.isMutating({ mutationKey: profileChanges.mutationKey }) === 1

/** A fetch that started before a change may finish after it, so the profile is refetched. */
function refetchMe(client: QueryClient) {
  if (isLastChange(client)) void client.invalidateQueries({ queryKey: meKey, exact: true })
}

export const useUpdateProfile = () => useUpdateMe(updateProfile)

export const useConfirmEmail = () => useUpdateMe(confirmEmail)

function useUpdateMe<Input>(mutationFn: (input: Input) => Promise<Me>) {
  const client = useQueryClient()
  return useMutation({
    ...profileChanges,
    mutationFn,
    onSuccess: me => {
      if (isLastChange(client)) client.setQueryData(meKey, me)
      client.invalidateQueries({ queryKey: ['users'] })
    },
    onSettled: () => refetchMe(client),
  })
}

/** Shows a choice immediately. If the service rejects it, the previous choice is shown again. */
export function useUpdatePreferences() {
  const client = useQueryClient()
  return useMutation({
    ...profileChanges,
    mutationFn: ({ emailIsDefault, digestHourIsDefault, ...choice }: PreferenceChange) =>
      updateProfile({ preferences: choice }),
    onMutate: choice => {
      // A fetch in progress doesn't include the choice.
      void client.cancelQueries({ queryKey: meKey, exact: true })
      const before = client.getQueryData<Me>(meKey)
      // Only the service knows the workspace's default.
      if (before && choice.email !== null && choice.digestHour !== null) {
        const { email, digestHour } = before.preferences
        const preferences = { ...before.preferences, ...choice }
        client.setQueryData<Me>(meKey, {
          ...before,
          preferences: {
            ...preferences,
            email: preferences.email ?? email,
            digestHour: preferences.digestHour ?? digestHour,
          },
        })
      }
      return { before }
    },
    onError: (_error, _choice, context) => {
      if (context?.before && isLastChange(client)) client.setQueryData(meKey, context.before)
    },
    onSuccess: me => {
      if (isLastChange(client)) client.setQueryData(meKey, me)
      client.invalidateQueries({ queryKey: nextMailKey })
    },
    onSettled: () => refetchMe(client),
  })
}

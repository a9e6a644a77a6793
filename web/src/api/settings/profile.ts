import { type QueryClient, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { api, data, type Schemas } from '../client'
import { type Me, meKey, wholeMe } from '../session'

export type Preferences = Me['preferences']
export type ProfileChange = Schemas['ProfileChange']
/** `null` takes a choice back. What says whether something was chosen follows from the choices. */
export type Choice = Partial<Omit<Preferences, 'email' | 'digestHour'>> & {
  email?: Preferences['email'] | null
  digestHour?: number | null
}

const nextMailKey = ['next-mail'] as const

/** When the next mail about reviews comes, as one's choices are. */
export const nextMailQuery = queryOptions({
  queryKey: nextMailKey,
  queryFn: ({ signal }) => data(api.GET('/auth/me/nextMail', { signal })),
})

export const changeProfile = async (change: ProfileChange): Promise<Me> =>
  wholeMe(await data(api.PATCH('/auth/me', { body: change })))

export const confirmEmail = async (token: string): Promise<Me> =>
  wholeMe(await data(api.POST('/auth/confirmEmail', { body: { token } })))

/** What was read before a change was made may come after its answer: it is read once more. */
const rereadMe = (client: QueryClient) => void client.invalidateQueries({ queryKey: meKey, exact: true })

export const useChangeProfile = () => useUpdateMe(changeProfile)

export const useConfirmEmail = () => useUpdateMe(confirmEmail)

function useUpdateMe<Input>(mutationFn: (input: Input) => Promise<Me>) {
  const client = useQueryClient()
  return useMutation({
    mutationFn,
    onSuccess: me => {
      client.setQueryData(meKey, me)
      client.invalidateQueries({ queryKey: ['users'] })
    },
    onSettled: () => rereadMe(client),
  })
}

/** Choices count at once; what the service refuses goes back to what it was. */
export function useChoose() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: ({ emailIsDefault, digestHourIsDefault, ...choice }: Choice) =>
      changeProfile({ preferences: choice }),
    onMutate: choice => {
      // What is being read now does not know of the choice.
      void client.cancelQueries({ queryKey: meKey, exact: true })
      const before = client.getQueryData<Me>(meKey)
      // What the workspace's default is only the service knows.
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
      if (context?.before) client.setQueryData(meKey, context.before)
    },
    onSuccess: me => {
      client.setQueryData(meKey, me)
      client.invalidateQueries({ queryKey: nextMailKey })
    },
    onSettled: () => rereadMe(client),
  })
}

import { queryOptions, useMutation, useSuspenseQuery } from '@tanstack/react-query'
import { browserLanguage, type Language, matchLanguage } from '@/lib/i18n'
import { leavePage } from '@/lib/page-exit'
import { api, data, type Schemas } from './client'
import { announceSignOut, flushAllTabs } from './sign-out'

export type Me = Schemas['Me']
export type Permission = Me['permissions'][number]

export const meKey = ['me'] as const

/** An API process that is about to be replaced by a newer one does not tell everything yet. */
export const parseMe = (me: Me): Me => ({
  ...me,
  standingInFor: me.standingInFor ?? [],
  preferences: { ...me.preferences, agents: me.preferences.agents ?? {} },
})

export const meQuery = queryOptions({
  queryKey: meKey,
  queryFn: async ({ signal }) => parseMe(await data(api.GET('/auth/me', { signal }))),
  staleTime: 60_000,
  retry: false,
})

/** The language that the person chose, or else the workspace's, or else the browser's. */
export const getLanguage = ({ user, account }: Me): Language =>
  matchLanguage(user.language) ?? matchLanguage(account.language) ?? browserLanguage()

/** Who is signed in. For everything below the authenticated layout, which has read it before. */
export const useMe = (): Me => useSuspenseQuery(meQuery).data

export const useMay = (permission: Permission): boolean => useMe().permissions.includes(permission)

export function useSignOut() {
  return useMutation({
    mutationFn: async () => {
      // Decisions that are still held back, and drafts, belong to this person.
      await flushAllTabs()
      return api.POST('/auth/logout')
    },
    onSuccess: () => {
      announceSignOut()
      goToSignIn()
    },
  })
}

/** For somebody who has signed out, here or in another page of the browser. */
export function goToSignIn() {
  // A full load: nothing of the former person stays in memory.
  leavePage(new URL('sign-in', document.baseURI))
}

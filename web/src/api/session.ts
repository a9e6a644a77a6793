import { queryOptions, useMutation, useSuspenseQuery } from '@tanstack/react-query'
import { getBrowserLanguage, type Language, matchLanguage } from '@/lib/i18n'
import { leavePage } from '@/lib/page-exit'
import { api, data, type Schemas } from './client'
import { announceSignOut, flushAllTabs } from './sign-out'

export type Me = Schemas['Me']
export type Permission = Me['permissions'][number]

export const meKey = ['me'] as const

/** While a new version is deployed, an old API process doesn't send every field. */
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

/** The language that the member chose, or else the workspace's, or else the browser's. */
export const getLanguage = ({ user, account }: Me): Language =>
  matchLanguage(user.language) ?? matchLanguage(account.language) ?? getBrowserLanguage()

/** The signed-in member. For everything below the authenticated layout, which has loaded it. */
export const useMe = (): Me => useSuspenseQuery(meQuery).data

export const useMay = (permission: Permission): boolean => useMe().permissions.includes(permission)

export function useSignOut() {
  return useMutation({
    mutationFn: async () => {
      // Decisions that are still held, and drafts, belong to this member.
      await flushAllTabs()
      return api.POST('/auth/logout')
    },
    onSuccess: () => {
      announceSignOut()
      goToSignIn()
    },
  })
}

/** For a member who has signed out, in this tab or in another one. */
export function goToSignIn() {
  // A full page load, so that nothing of the previous member stays in memory.
  leavePage(new URL('sign-in', document.baseURI))
}

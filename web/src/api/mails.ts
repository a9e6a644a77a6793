import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { api, data, inPageLanguage, type Schemas } from './client'

export type Mail = Schemas['Mail']
export type TestMail = Schemas['TestMail']

/** While some wait for their next attempt they are asked for again this often: who sends one again watches it go. */
const POLL_EVERY = 2_000
const MOST = 50
const IN_TROUBLE = ['unclear', 'failed', 'waiting'] as const

const troubledKey = ['mails', 'troubled'] as const

/** Mails that somebody should look at: not sent, or perhaps not. What waits for its first attempt is none of them. */
export const troubledMailsQuery = queryOptions({
  queryKey: troubledKey,
  queryFn: async ({ signal }) => {
    const pages = await Promise.all(
      IN_TROUBLE.map(state => data(api.GET('/mails', { params: { query: { state, limit: MOST } }, signal }))),
    )
    return pages.flatMap(page => page.items).filter(mail => mail.state !== 'waiting' || mail.error !== null)
  },
  refetchInterval: query => (query.state.data?.some(mail => mail.state === 'waiting') ? POLL_EVERY : false),
})

export function useResendMail() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (mailId: string) =>
      data(api.POST('/mails/{mailId}/resend', { params: { path: { mailId } } })),
    onSettled: () => client.invalidateQueries({ queryKey: troubledKey }),
  })
}

/** Resolves with how it went, also when it did not go. */
export function useSendTestMail() {
  return useMutation({
    mutationFn: async () => inPageLanguage(await data(api.POST('/account/mail/test'))),
  })
}

/** The same whoever has the address, and whether anybody has. */
export async function forgotPassword(email: string): Promise<void> {
  await api.POST('/auth/forgotPassword', { body: { email } })
}

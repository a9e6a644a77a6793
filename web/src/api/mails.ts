import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { api, data, inPageLanguage, type Schemas } from './client'

export type Mail = Schemas['Mail']
export type TestMail = Schemas['TestMail']

/** While some wait for their next attempt they are asked for again this often: who sends one again watches it go. */
const POLL_INTERVAL = 2_000
const PAGE_SIZE = 50
const UNSENT_STATES = ['unclear', 'failed', 'waiting'] as const

const failedMailsKey = ['mails', 'troubled'] as const

/** Mails that somebody should look at: not sent, or perhaps not. What waits for its first attempt is none of them. */
export const failedMailsQuery = queryOptions({
  queryKey: failedMailsKey,
  queryFn: async ({ signal }) => {
    const pages = await Promise.all(
      UNSENT_STATES.map(state =>
        data(api.GET('/mails', { params: { query: { state, limit: PAGE_SIZE } }, signal })),
      ),
    )
    return pages.flatMap(page => page.items).filter(mail => mail.state !== 'waiting' || mail.error !== null)
  },
  refetchInterval: query =>
    query.state.data?.some(mail => mail.state === 'waiting') ? POLL_INTERVAL : false,
})

export function useResendMail() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (mailId: string) =>
      data(api.POST('/mails/{mailId}/resend', { params: { path: { mailId } } })),
    onSettled: () => client.invalidateQueries({ queryKey: failedMailsKey }),
  })
}

/** Resolves with how it went, also when it did not go. */
export function useSendTestMail() {
  return useMutation({
    mutationFn: async () => inPageLanguage(await data(api.POST('/account/mail/test'))),
  })
}

/** The same whoever has the address, and whether anybody has. */
export async function requestPasswordReset(email: string): Promise<void> {
  await api.POST('/auth/forgotPassword', { body: { email } })
}

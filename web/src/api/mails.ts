import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { api, data, inPageLanguage, type Schemas } from './client'

export type Mail = Schemas['Mail']
export type TestMail = Schemas['TestMail']

/** Poll interval while mails wait for their next attempt, so that a retried mail is seen to go out. */
const POLL_INTERVAL = 2_000
const PAGE_SIZE = 50
const UNSENT_STATES = ['unclear', 'failed', 'waiting'] as const

const failedMailsKey = ['mails', 'troubled'] as const

/**
 * Mails that need attention: not sent, or possibly not sent. Mails that wait for their first attempt are not included.
 */
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

/** Resolves with the result, also when the mail failed. */
export function useSendTestMail() {
  return useMutation({
    mutationFn: async () => inPageLanguage(await data(api.POST('/account/mail/test'))),
  })
}

/** The response is the same whether or not the address has an account. */
export async function requestPasswordReset(email: string): Promise<void> {
  await api.POST('/auth/forgotPassword', { body: { email } })
}

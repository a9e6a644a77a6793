import { useMutation } from '@tanstack/react-query'
import { api, data, inPageLanguage, type Schemas } from './client'

export type TestMail = Schemas['TestMail']

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

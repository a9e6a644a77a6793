import { t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import { methodsQuery } from '@/api/sign-in'

/** How an invite link gets to the person it's for. */
export function InviteLinkHelp({ email }: { email: string }) {
  const methods = useQuery(methodsQuery)
  return methods.data?.mail
    ? t`We also emailed this link to ${email}. It works once and expires in 7 days. You won't be able to see it again, but you can create a new one later.`
    : t`Send this link to ${email}. It works once and expires in 7 days. You won't be able to see it again, but you can create a new one later.`
}

import { useQueryClient } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { useCallback } from 'react'
import { BASE_PATH } from '@/api/client'
import { type Me, meKey, parseMe } from '@/api/session'
import { announceSignIn } from '@/api/sign-in-broadcast'
import { getNextPath } from './next-path'

/** Takes a member who has just signed in to their destination; nothing of a previous member stays. */
export function useAfterSignIn(next: string | undefined): (me: Me) => void {
  const client = useQueryClient()
  const router = useRouter()
  return useCallback(
    me => {
      announceSignIn(me.user.userId)
      client.clear()
      client.setQueryData(meKey, parseMe(me))
      router.history.replace(getNextPath(next, BASE_PATH, location.origin))
    },
    [client, router, next],
  )
}

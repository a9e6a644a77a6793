/** Browser notifications for members who turned them on: about reviews for them, while they look at something else. */

import { useNavigate } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import { useFormName } from '@/api/forms/names'
import { subscribeToReviewUpdates } from '@/api/live'
import { useMe } from '@/api/session'
import { isAnyPageVisible } from '@/lib/page-visibility'
import {
  collectBurst,
  getNotificationText,
  type PendingReview,
  toPendingReview,
} from './review-notifications'

/** All tabs of a browser show the same notification; a later one replaces an earlier one. */
const TAG = 'signoff.reviews'

export default function BrowserNotifications() {
  const me = useMe()
  const nameOf = useFormName()
  const navigate = useNavigate()
  // Events that arrive later are judged by the member's current data.
  const latest = useRef({ me, nameOf })
  latest.current = { me, nameOf }

  useEffect(() => {
    const show = async (news: PendingReview[]) => {
      if (Notification.permission !== 'granted' || (await isAnyPageVisible())) return
      const { title, body, reviewId } = getNotificationText(news)
      const shown = new Notification(title, { body, tag: TAG })
      shown.onclick = () => {
        window.focus()
        shown.close()
        if (reviewId) void navigate({ to: '/reviews/$reviewId', params: { reviewId }, search: {} })
        else void navigate({ to: '/', search: {} })
      }
    }
    const burst = collectBurst(news => void show(news))
    const stop = subscribeToReviewUpdates(news => {
      const pendingReview = toPendingReview(news, latest.current.me, latest.current.nameOf)
      if (pendingReview) burst.add(pendingReview)
    })
    return () => {
      stop()
      burst.cancel()
    }
  }, [navigate])
  return null
}

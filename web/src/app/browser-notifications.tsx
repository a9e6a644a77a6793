/** Notifications of the browser, for those who chose them: what asks them, while they look at something else. */

import { useNavigate } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import { subscribeToReviewUpdates } from '@/api/live'
import { useMe } from '@/api/session'
import { isAnyPageVisible } from '@/lib/page-visibility'
import {
  collectBurst,
  getNotificationText,
  type PendingReview,
  toPendingReview,
} from './review-notifications'

/** All pages of a browser show the same one: a later takes the place of an earlier. */
const TAG = 'signoff.reviews'

export default function BrowserNotifications() {
  const me = useMe()
  const navigate = useNavigate()
  // What is heard later is judged by who one is then.
  const latest = useRef(me)
  latest.current = me

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
      const asking = toPendingReview(news, latest.current)
      if (asking) burst.add(asking)
    })
    return () => {
      stop()
      burst.cancel()
    }
  }, [navigate])
  return null
}

/** Which changes to reviews show a browser notification, and what it says. */

import { plural, t } from '@lingui/core/macro'
import type { ReviewUpdate } from '@/api/live'
import type { ReviewRow } from '@/api/review-filters'
import type { Me } from '@/api/session'
import { formatNumber } from '@/lib/i18n'
import { stripDirectionControls } from '@/lib/text-direction'

export type PendingReview = { reviewId: string; title: string; formName: string }

/** The actions that ask someone to decide a review, as in mails. */
const NOTIFYING_ACTIONS = new Set([
  'review.requested',
  'review.updated',
  'review.assigned',
  'review.handed_over',
  'review.handed_back',
  'review.reminded',
])

/** Null: the change doesn't ask this member for anything, or they made it. */
export function toPendingReview(
  { action, actorId, reviewId, row }: ReviewUpdate,
  me: Me,
  nameOf: (row: ReviewRow) => string,
): PendingReview | null {
  if (!NOTIFYING_ACTIONS.has(action) || actorId === me.user.userId || row === null) return null
  if (row.state !== 'pending' || row.retryRequested || !me.permissions.includes('decide')) return null
  const isForEverybody = row.assigneeIds.length === 0 && !row.external
  const mine = new Set([
    me.user.userId,
    ...me.groups.map(group => group.groupId),
    ...me.standingInFor.flatMap(absent => [absent.userId, ...absent.groupIds]),
  ])
  if (!isForEverybody && !row.assigneeIds.some(id => mine.has(id))) return null
  const formName = stripDirectionControls(nameOf(row))
  return { reviewId, title: stripDirectionControls(row.title ?? formName), formName }
}

export function getNotificationText(news: readonly PendingReview[]): {
  title: string
  body: string
  reviewId: string | null
} {
  const [first] = news
  if (news.length === 1 && first)
    return {
      title: first.title,
      body: t`${{ reviewType: first.formName }} needs your review`,
      reviewId: first.reviewId,
    }
  const named = news.slice(0, 3).map(({ title }) => title)
  const count = news.length
  const more = count - named.length
  return {
    title: plural(count, { one: '# review needs your decision', other: '# reviews need your decision' }),
    body: [...named, ...(more > 0 ? [t`and ${{ more: formatNumber(more) }} more`] : [])].join('\n'),
    reviewId: null,
  }
}

/** A burst ends when nothing has come for this many milliseconds, up to a limit. */
const BURST_QUIET_MS = 1_500
const MAX_BURST_MS = 10_000

/** Calls `onBurst` once for everything that comes in one burst, each review once. */
export function collectBurst(onBurst: (news: PendingReview[]) => void) {
  const collected = new Map<string, PendingReview>()
  let timer: ReturnType<typeof setTimeout> | undefined
  let began = 0
  const end = () => {
    timer = undefined
    const news = [...collected.values()]
    collected.clear()
    if (news.length > 0) onBurst(news)
  }
  return {
    add(pendingReview: PendingReview) {
      if (collected.size === 0) began = Date.now()
      collected.set(pendingReview.reviewId, pendingReview)
      clearTimeout(timer)
      timer = setTimeout(end, Math.max(0, Math.min(BURST_QUIET_MS, began + MAX_BURST_MS - Date.now())))
    },
    cancel() {
      clearTimeout(timer)
      collected.clear()
    },
  }
}

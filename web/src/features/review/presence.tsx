import { plural, t } from '@lingui/core/macro'
import { useEffect } from 'react'
import { usePresence } from '@/api/live'
import { enterReview, leaveReview } from '@/api/review'
import { Avatar } from '@/components/avatar'
import { formatList } from '@/lib/i18n'
import { onPageExit } from '@/lib/page-exit'

const HEARTBEAT_INTERVAL = 15_000

/** Reports that the member has the review open while the page is visible. */
export function useHeartbeat(reviewId: string) {
  useEffect(() => {
    let isAnnounced = false
    // Failures don't matter: others don't see this member for a moment.
    const announce = () => {
      if (document.visibilityState !== 'visible') return
      isAnnounced = true
      enterReview(reviewId).catch(() => {})
    }
    const leave = () => {
      if (!isAnnounced) return
      isAnnounced = false
      leaveReview(reviewId).catch(() => {})
    }
    const onVisibility = () => (document.visibilityState === 'visible' ? announce() : leave())
    // A member who only passes on the way to another review isn't announced.
    const first = setTimeout(announce, 600)
    const timer = setInterval(announce, HEARTBEAT_INTERVAL)
    document.addEventListener('visibilitychange', onVisibility)
    const forget = onPageExit(() => void leave())
    return () => {
      clearTimeout(first)
      clearInterval(timer)
      document.removeEventListener('visibilitychange', onVisibility)
      forget()
      leave()
    }
  }, [reviewId])
}

const MAX_SHOWN = 3

/** Who else has the review open. */
export function OtherViewers({ reviewId }: { reviewId: string }) {
  const others = usePresence(reviewId)
  if (others.length === 0) return <span className="sr-only" role="status" />
  const names = others.map(person => person.name)
  const name = names[0]
  const words = t`${plural(others.length, { one: `${name} is also viewing`, other: '# others are viewing' })}`
  return (
    <span role="status" title={formatList(names)} className="flex items-center gap-1.5 text-muted text-sm">
      <span className="-space-x-1.5 flex">
        {others.slice(0, MAX_SHOWN).map(person => (
          <Avatar key={person.userId} name={person.name} className="size-5 ring-2 ring-canvas" />
        ))}
      </span>
      <span dir="auto" className="max-2xl:sr-only">
        {words}
      </span>
    </span>
  )
}

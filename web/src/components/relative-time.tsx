import { useSyncExternalStore } from 'react'
import { formatAge, formatDateTime, formatTimeAgo } from '@/lib/time'

let minute = Math.floor(Date.now() / 60_000)

function subscribeToMinutes(listener: () => void) {
  const timer = setInterval(() => {
    minute = Math.floor(Date.now() / 60_000)
    listener()
  }, 15_000)
  return () => clearInterval(timer)
}

/** A moment as its distance from now, which goes on; the exact moment on hovering. */
export function RelativeTime({ at, short = false }: { at: string; short?: boolean }) {
  useSyncExternalStore(subscribeToMinutes, () => minute)
  return (
    <time dateTime={at} title={formatDateTime(at)}>
      {short ? formatAge(at) : formatTimeAgo(at)}
    </time>
  )
}

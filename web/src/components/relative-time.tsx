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

/** A time relative to now, which keeps updating; the exact time on hover. */
export function RelativeTime({ at, short = false }: { at: string; short?: boolean }) {
  useSyncExternalStore(subscribeToMinutes, () => minute)
  return (
    <time dateTime={at} title={formatDateTime(at)}>
      {short ? formatAge(at) : formatTimeAgo(at)}
    </time>
  )
}

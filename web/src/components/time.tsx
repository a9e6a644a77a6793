import { useSyncExternalStore } from 'react'
import { age, ago, moment } from '@/lib/time'

let minute = Math.floor(Date.now() / 60_000)

function eachMinute(listener: () => void) {
  const timer = setInterval(() => {
    minute = Math.floor(Date.now() / 60_000)
    listener()
  }, 15_000)
  return () => clearInterval(timer)
}

/** A moment as its distance from now, which goes on; the exact moment on hovering. */
export function Time({ at, short = false }: { at: string; short?: boolean }) {
  useSyncExternalStore(eachMinute, () => minute)
  return (
    <time dateTime={at} title={moment(at)}>
      {short ? age(at) : ago(at)}
    </time>
  )
}

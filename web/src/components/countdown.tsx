import { useSyncExternalStore } from 'react'
import { classes } from '@/lib/classes'
import { type DueAction, formatDueIn, formatDueOn } from '@/lib/due'
import { formatShortTimeLeft, getUrgency, type Urgency } from '@/lib/time-left'

const listeners = new Set<() => void>()
let timer: ReturnType<typeof setInterval> | undefined

/** One clock for everything that counts down on a page. A listener renders only when its text changes. */
function subscribeToTicks(listener: () => void) {
  listeners.add(listener)
  timer ??= setInterval(() => {
    for (const each of listeners) each()
  }, 5_000)
  return () => {
    listeners.delete(listener)
    if (listeners.size > 0) return
    clearInterval(timer)
    timer = undefined
  }
}

const COLORS: Record<Urgency, string> = { far: '', near: 'text-warn', urgent: 'text-bad' }

/**
 * A deadline's action and a countdown to it (`Auto-rejects in 2h 10m`, or `2h` if `short`), with the date on hover.
 * Screen readers get the whole sentence, but don't read it out as it changes. A reminder has no color.
 */
export function Countdown({ at, action, short = false }: { at: string; action: DueAction; short?: boolean }) {
  const until = new Date(at).getTime()
  const state = useSyncExternalStore(subscribeToTicks, () => {
    const left = until - Date.now()
    return [getUrgency(left), formatDueIn(action, left), formatShortTimeLeft(left)].join('\n')
  })
  const [color, sentence, duration] = state.split('\n')
  const isCalm = action === 'remind' || color === 'far'
  return (
    <time
      dateTime={at}
      title={formatDueOn(action, at)}
      className={classes(
        'whitespace-nowrap tabular-nums',
        !isCalm && 'font-medium',
        !isCalm && COLORS[color as Urgency],
      )}
    >
      {short ? (
        <>
          <span aria-hidden="true">{duration}</span>
          <span className="sr-only">{sentence}</span>
        </>
      ) : (
        sentence
      )}
    </time>
  )
}

import { useSyncExternalStore } from 'react'
import { classes } from '@/lib/classes'
import { moment } from '@/lib/time'
import { shortTimeLeft, timeLeft, type Urgency, urgency } from '@/lib/time-left'

const listeners = new Set<() => void>()
let timer: ReturnType<typeof setInterval> | undefined

/** One clock for all that count down on a page. Whoever listens is drawn anew only when its words change. */
function everyFewSeconds(listener: () => void) {
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

const COLOURS: Record<Urgency, string> = { far: '', near: 'text-warn', urgent: 'text-bad' }

/**
 * The time that is left until a moment, counting down (`in 2 h 10 min`, or `2h` where room is `short`); the moment itself on hovering. It is not read out as it changes.
 * `calm`: what happens then needs no colour.
 */
export function Countdown({
  at,
  title,
  short = false,
  calm = false,
  className,
}: {
  at: string
  /** What happens then; the moment is added. */
  title: string
  short?: boolean
  calm?: boolean
  className?: string
}) {
  const until = new Date(at).getTime()
  const words = useSyncExternalStore(everyFewSeconds, () => {
    const left = until - Date.now()
    return `${urgency(left)}/${short ? shortTimeLeft(left) : left > 0 ? `in ${timeLeft(left)}` : timeLeft(left)}`
  })
  const [colour = 'far', text] = words.split('/')
  return (
    <time
      dateTime={at}
      title={`${title}: ${moment(at)}`}
      className={classes(
        'whitespace-nowrap tabular-nums',
        !calm && COLOURS[colour as Urgency],
        !calm && colour !== 'far' && 'font-medium',
        className,
      )}
    >
      {text}
    </time>
  )
}

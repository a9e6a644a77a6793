/**
 * Runs `work` at most once in every `pause` milliseconds: immediately after a quiet period, and once more for calls in
 * between.
 */
export function throttle(work: () => void, pause: number): { (): void; cancel: () => void } {
  let timer: ReturnType<typeof setTimeout> | undefined
  let wanted = false
  const rest = () => {
    timer = undefined
    if (wanted) run()
  }
  const run = () => {
    wanted = false
    timer = setTimeout(rest, pause)
    work()
  }
  const ask = () => {
    if (timer === undefined) run()
    else wanted = true
  }
  ask.cancel = () => {
    clearTimeout(timer)
    timer = undefined
    wanted = false
  }
  return ask
}

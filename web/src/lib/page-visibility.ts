/** Whether any tab of this browser is visible. Each visible tab holds a lock. */

const LOCK_NAME = 'signoff.looked-at'

/** Announces to other tabs while this one is visible, until the returned function is called. */
export function announcePageVisibility(): () => void {
  if (!navigator.locks) return () => undefined
  let release: (() => void) | undefined
  const update = () => {
    const isSeen = document.visibilityState === 'visible'
    if (isSeen && !release) {
      const untilHidden = new Promise<void>(resolve => {
        release = resolve
      })
      void navigator.locks.request(LOCK_NAME, { mode: 'shared' }, () => untilHidden)
    } else if (!isSeen && release) {
      release()
      release = undefined
    }
  }
  update()
  document.addEventListener('visibilitychange', update)
  return () => {
    document.removeEventListener('visibilitychange', update)
    release?.()
  }
}

/** Without Web Locks (plain HTTP on a host other than localhost), only this tab is known. */
export async function isAnyPageVisible(): Promise<boolean> {
  if (document.visibilityState === 'visible') return true
  if (!navigator.locks) return false
  return (await navigator.locks.query()).held?.some(({ name }) => name === LOCK_NAME) ?? false
}

/** Whether somebody looks at one of the pages of this browser. Each page that is seen holds a lock that says so. */

const LOCK_NAME = 'signoff.looked-at'

/** Lets the other pages know while this one is seen, until the returned function is called. */
export function announcePageVisibility(): () => void {
  if (!navigator.locks) return () => undefined
  let release: (() => void) | undefined
  const update = () => {
    const isSeen = document.visibilityState === 'visible'
    if (isSeen && !release) {
      const held = new Promise<void>(resolve => {
        release = resolve
      })
      void navigator.locks.request(LOCK_NAME, { mode: 'shared' }, () => held)
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

/** Without locks (plain HTTP on another host than this) only this page is known of. */
export async function isAnyPageVisible(): Promise<boolean> {
  if (document.visibilityState === 'visible') return true
  if (!navigator.locks) return false
  return (await navigator.locks.query()).held?.some(({ name }) => name === LOCK_NAME) ?? false
}

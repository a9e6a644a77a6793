/** Requests that must reach the service before the member leaves, by closing the page or signing out. */

/** `closing`: the page is about to close, and only requests that outlive it (`keepalive`) still arrive. */
export type ExitHandler = (closing: boolean) => Promise<unknown> | undefined

const exitHandlers = new Set<ExitHandler>()

/** Registers `send` to be called before the member leaves. Returns a function that unregisters it. */
export function onPageExit(send: ExitHandler): () => void {
  exitHandlers.add(send)
  return () => exitHandlers.delete(send)
}

/** Sends everything that is held, and waits until it has arrived or failed. Await it before signing out. */
export async function runExitHandlers(): Promise<void> {
  await Promise.allSettled([...exitHandlers].map(send => send(false)))
}

let isLeaving = false

/** Navigates away without asking, for example to the sign-in page. */
export function leavePage(address: string | URL): void {
  // Requests that fail now lead here again.
  if (isLeaving) return
  isLeaving = true
  location.assign(address)
}

/** Asks before the page is closed if something would be lost. Returns a function that unregisters it. */
export function confirmBeforeClosing(wouldLose: () => boolean): () => void {
  const ask = (event: BeforeUnloadEvent) => {
    if (!isLeaving && wouldLose()) event.preventDefault()
  }
  window.addEventListener('beforeunload', ask)
  return () => window.removeEventListener('beforeunload', ask)
}

if (typeof window !== 'undefined') {
  window.addEventListener('pagehide', () => {
    for (const send of exitHandlers) void send(true)
    // The next person to go back to this page may be someone else, and must not see it.
    document.body.hidden = isLeaving
  })
  window.addEventListener('pageshow', ({ persisted }) => {
    if (persisted && isLeaving) location.reload()
  })
}

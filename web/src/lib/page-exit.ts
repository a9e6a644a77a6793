/** What has to reach the service before the person goes: by closing the page, or by signing out. */

/** `closing`: the page is about to be gone, and only requests that outlive it (`keepalive`) still arrive. */
export type ExitHandler = (closing: boolean) => Promise<unknown> | undefined

const exitHandlers = new Set<ExitHandler>()

/** Has `send` called before the person goes. Answers how to take that back. */
export function onPageExit(send: ExitHandler): () => void {
  exitHandlers.add(send)
  return () => exitHandlers.delete(send)
}

/** Sends everything that is held back, and waits until it has arrived or failed. To be awaited before signing out. */
export async function runExitHandlers(): Promise<void> {
  await Promise.allSettled([...exitHandlers].map(send => send(false)))
}

let isLeaving = false

/** The page goes elsewhere by itself, to the sign-in page for one: nobody is to be asked whether they want to. */
export function leavePage(address: string | URL): void {
  // Whatever fails while it is on its way says the same once more.
  if (isLeaving) return
  isLeaving = true
  location.assign(address)
}

/** Asks before the page is closed, while something would be lost with it. Answers how to take that back. */
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
    // Whoever goes back to it may be somebody else, and is to see nothing of it.
    document.body.hidden = isLeaving
  })
  window.addEventListener('pageshow', ({ persisted }) => {
    if (persisted && isLeaving) location.reload()
  })
}

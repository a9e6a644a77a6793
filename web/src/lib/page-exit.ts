/** What happens before the member leaves the page: requests that must reach the service, and what a reload would lose. */

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

type Check = () => boolean

const unsavedChecks = new Set<Check>()
const reloadBlockers = new Set<Check>()

/** Asks before the page is closed if something would be lost. Returns a function that unregisters it. */
export function confirmBeforeClosing(wouldLose: Check): () => void {
  unsavedChecks.add(wouldLose)
  return () => unsavedChecks.delete(wouldLose)
}

/** Prevents automatic reloads while something is in progress. Returns a function that unregisters it. */
export function blockReloads(isInProgress: Check): () => void {
  reloadBlockers.add(isInProgress)
  return () => reloadBlockers.delete(isInProgress)
}

const hasUnsaved = (): boolean => [...unsavedChecks].some(check => check())

/** Text that's typed in a dialog is stored nowhere else. */
const hasTextInDialog = (): boolean =>
  [...document.querySelectorAll<HTMLInputElement>('[role=dialog] :is(input, textarea)')].some(
    field => field.value !== '',
  )

/** Whether the page may reload without being asked to. */
export const isReloadSafe = (): boolean =>
  !(hasUnsaved() || [...reloadBlockers].some(check => check()) || hasTextInDialog())

if (typeof window !== 'undefined') {
  window.addEventListener('beforeunload', event => {
    if (!isLeaving && hasUnsaved()) event.preventDefault()
  })
  window.addEventListener('pagehide', () => {
    for (const send of exitHandlers) void send(true)
    // The next person to go back to this page may be someone else, and must not see it.
    document.body.hidden = isLeaving
  })
  window.addEventListener('pageshow', ({ persisted }) => {
    if (persisted && isLeaving) location.reload()
  })
}

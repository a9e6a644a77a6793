/**
 * Copies text. Browsers offer `navigator.clipboard` only over HTTPS and on localhost, and people run the service over
 * plain HTTP too: the older command is the fallback, and if that fails, a dialog shows the text selected, ready to
 * copy.
 */

type Listener = () => void

let manual: string | null = null
const listeners = new Set<Listener>()

/** The text that the member has to copy by hand; null if there is none. */
export const manualCopy = {
  get: () => manual,
  set: (text: string | null) => {
    manual = text
    for (const listener of listeners) listener()
  },
  subscribe: (listener: Listener) => {
    listeners.add(listener)
    return () => {
      listeners.delete(listener)
    }
  },
}

/** Copies a text. False: it couldn't be copied, and a dialog shows it selected. Never rejects. */
export async function copyText(text: string): Promise<boolean> {
  if ((await writeToClipboard(text)) || copyBySelection(text)) return true
  manualCopy.set(text)
  return false
}

async function writeToClipboard(text: string): Promise<boolean> {
  // Absent over plain HTTP, although its type says otherwise.
  const clipboard = navigator.clipboard as Clipboard | undefined
  if (clipboard === undefined) return false
  try {
    await clipboard.writeText(text)
    return true
  } catch {
    // Not allowed here: try the other ways.
    return false
  }
}

function copyBySelection(text: string): boolean {
  const focused = document.activeElement
  const area = document.createElement('textarea')
  area.value = text
  area.readOnly = true
  area.setAttribute('aria-hidden', 'true')
  area.className = 'fixed start-0 top-0 size-px opacity-0'
  // An open dialog takes focus back from anything outside of it.
  ;(focused?.closest('[role=dialog]') ?? document.body).append(area)
  area.select()
  try {
    // Deprecated, but the only way over plain HTTP. Every browser still supports it.
    return document.execCommand('copy')
  } catch {
    return false
  } finally {
    area.remove()
    if (focused instanceof HTMLElement) focused.focus({ preventScroll: true })
  }
}

/** Whether text on the page is selected. The copy shortcut then copies that text, not the page's own selection. */
export const hasSelectedText = (): boolean => (getSelection()?.toString() ?? '') !== ''

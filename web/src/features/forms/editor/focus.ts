/** Moves focus after something was added, moved or removed. */

export const nodeElementId = (key: string) => `entry-${key}`
export const LABEL_INPUT = 'entry-label'

/**
 * Waits until the page shows the change and a closing dialog has returned focus, which it does in a timer. If the
 * member has opened another dialog since, focus stays there.
 */
function focusLater(id: string, then: (element: HTMLElement) => void) {
  const focus = () => {
    const element = document.getElementById(id)
    const dialog = document.activeElement?.closest('[role="dialog"][data-state="open"]')
    if (!element || (dialog && !dialog.contains(element))) return
    element.focus({ preventScroll: true })
    then(element)
  }
  requestAnimationFrame(() => setTimeout(() => setTimeout(focus)))
}

export function focusNode(key: string | null) {
  if (key !== null) focusLater(nodeElementId(key), element => element.scrollIntoView({ block: 'nearest' }))
}

export const textElementId = (path: string) => `text-${path}`

/** The path of a text whose panel may still be loading. */
let wanted: string | null = null

/** Focuses the input for a translation once it's there. */
export function focusText(path: string) {
  wanted = path
  focusWanted(path)
}

/** For an input that has just appeared. */
export function focusWanted(path: string) {
  if (wanted !== path) return
  focusLater(textElementId(path), input => {
    wanted = null
    input.scrollIntoView({ block: 'center' })
  })
}

/** Focuses the label of the selected entry and selects its text, so that typing renames it. */
export function focusLabel() {
  focusLater(LABEL_INPUT, input => {
    input.scrollIntoView({ block: 'nearest' })
    if (input instanceof HTMLInputElement) input.select()
  })
}

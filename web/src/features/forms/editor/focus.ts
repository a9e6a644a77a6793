/** Where the keyboard is after something was added, moved or removed. */

export const nodeElementId = (key: string) => `entry-${key}`
export const LABEL_INPUT = 'entry-label'

/**
 * After the page shows what was just changed, and after a dialog that closed gave the focus back, which it does by a timer.
 * Whoever has opened another dialog meanwhile types there.
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

/** Of a text whose panel may still have to be loaded. */
let wanted: string | null = null

/** To the input for a translation, once it's there. */
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

/** To the label of what is selected, with its text selected: the next thing one types is its name. */
export function focusLabel() {
  focusLater(LABEL_INPUT, input => {
    input.scrollIntoView({ block: 'nearest' })
    if (input instanceof HTMLInputElement) input.select()
  })
}

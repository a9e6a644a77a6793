/** Where the keyboard is after something was added, moved or removed. */

export const nodeElementId = (key: string) => `entry-${key}`
export const LABEL_INPUT = 'entry-label'

/** After the page shows what was just changed, and after a dialog that closed gave the focus back, which it does by a timer. */
function afterwards(run: () => void) {
  requestAnimationFrame(() => setTimeout(() => setTimeout(run)))
}

export function focusNode(key: string | null) {
  if (key === null) return
  afterwards(() => {
    const element = document.getElementById(nodeElementId(key))
    element?.focus({ preventScroll: true })
    element?.scrollIntoView({ block: 'nearest' })
  })
}

/** To the label of what is selected, with its text selected: the next thing one types is its name. */
export function focusLabel() {
  afterwards(() => {
    const input = document.getElementById(LABEL_INPUT)
    if (!(input instanceof HTMLInputElement)) return
    input.focus()
    input.select()
  })
}

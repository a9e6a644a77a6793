import { act, type ReactNode } from 'react'
import { createRoot, type Root } from 'react-dom/client'
import { afterEach, beforeEach, vi } from 'vitest'

/**
 * Renders components in tests, each in a page of its own. Call it once per file: hooks that this module registered
 * itself would run for one file only, because files share their modules.
 */
export function setUpRendering() {
  let box: HTMLElement
  let root: Root

  beforeEach(() => {
    vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true)
    box = document.body.appendChild(document.createElement('div'))
    root = createRoot(box)
  })

  afterEach(async () => {
    await act(async () => root.unmount())
    box.remove()
    vi.unstubAllGlobals()
  })

  /** The only element that matches, anywhere on the page. */
  function find<T extends HTMLElement = HTMLElement>(selector: string): T {
    const found = document.querySelectorAll<T>(selector)
    if (found.length !== 1 || found[0] === undefined) throw new Error(`${found.length} of ${selector}`)
    return found[0]
  }

  return {
    find,
    render: (element: ReactNode) => act(async () => root.render(element)),
    unmount: async () => {
      await act(async () => root.unmount())
      root = createRoot(box)
    },
    getText: (selector: string) => document.querySelector(selector)?.textContent ?? null,
    click: (selector: string) => act(async () => find(selector).click()),
    type: (selector: string, text: string) =>
      act(async () => {
        const field = find<HTMLInputElement>(selector)
        // React would ignore a value that was set through the element's own property.
        Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set?.call(field, text)
        field.dispatchEvent(new Event('input', { bubbles: true }))
      }),
    press: (selector: string, key: string) =>
      act(async () => {
        const options = { key, bubbles: true, cancelable: true }
        find(selector).dispatchEvent(new KeyboardEvent('keydown', options))
      }),
  }
}

/**
 * Keyboard shortcuts: declared next to their action, handled in one place, listed in the help sheet and the palette.
 */

import { useEffect, useSyncExternalStore } from 'react'

export type Shortcut = {
  /** As people read it: `j`, `Enter`, `?`, `mod+Enter`, `shift+a`. `mod` is ⌘ on a Mac and Ctrl elsewhere. */
  keys: string | readonly string[]
  label: string
  /** The heading in the help sheet. */
  group: string
  run: (event: KeyboardEvent) => void
  /**
   * Called when the keys are pressed. False leaves them to other shortcuts and the browser; otherwise it takes
   * precedence over others with the same keys.
   */
  when?: (event: KeyboardEvent) => boolean
  /** Also works while a field has focus. Useful only with `mod` or for Escape. */
  whileTyping?: boolean
  /** Also works while a dialog or menu is open, which otherwise gets all keys. */
  inDialog?: boolean
  /** Not in the palette: it makes sense only with the keyboard. */
  keyboardOnly?: boolean
}

export const isMac = typeof navigator !== 'undefined' && /Mac|iPhone|iPad/.test(navigator.platform)

let registered: readonly (readonly Shortcut[])[] = []
let areEnabled = true
const listeners = new Set<() => void>()

function registerShortcuts(shortcuts: readonly Shortcut[]): () => void {
  registered = [...registered, shortcuts]
  notifyListeners()
  return () => {
    registered = registered.filter(each => each !== shortcuts)
    notifyListeners()
  }
}

function notifyListeners() {
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void) {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Single-key shortcuts can be turned off by people whose tools send keys; those with `mod` stay. */
export function enableShortcuts(on: boolean) {
  areEnabled = on
}

/** Declares shortcuts while the component is mounted. Pass a stable array (`useMemo`). The latest declaration wins. */
export function useShortcuts(shortcuts: readonly Shortcut[]) {
  useEffect(() => registerShortcuts(shortcuts), [shortcuts])
}

/** Every shortcut that works now, for the help sheet and the palette. */
export const useActiveShortcuts = (): readonly (readonly Shortcut[])[] =>
  useSyncExternalStore(subscribe, () => registered)

export function getKeyCombination(event: KeyboardEvent): string {
  const parts: string[] = []
  if (isMac ? event.metaKey : event.ctrlKey) parts.push('mod')
  if (event.altKey) parts.push('alt')
  const key = event.key.length === 1 ? event.key.toLowerCase() : event.key
  // `?` needs Shift on some keyboards, so Shift counts only with letters and named keys.
  if (event.shiftKey && (key.length > 1 || /[a-z]/.test(key))) parts.push('shift')
  return [...parts, key].join('+')
}

export function isTyping(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false
  if (target.isContentEditable) return true
  if (target instanceof HTMLInputElement)
    return !['checkbox', 'radio', 'button', 'submit', 'range', 'file'].includes(target.type)
  return target instanceof HTMLTextAreaElement || target instanceof HTMLSelectElement
}

const OPEN_LAYER = ['dialog', 'alertdialog', 'menu', 'listbox']
  .map(role => `[role=${role}][data-state=open]`)
  .join()

/** Whether a dialog or menu is open over the page. */
export const hasOpenLayer = (): boolean => document.querySelector(OPEN_LAYER) !== null

/** Enter and Space on a button or link belong to it. */
const pressesControl = (pressed: string, target: EventTarget | null): boolean =>
  (pressed === 'Enter' || pressed === ' ') &&
  target instanceof Element &&
  target.closest('a[href], button, summary, input, [role=button]') !== null

export function onKeyDown(event: KeyboardEvent) {
  if (event.defaultPrevented || event.isComposing) return
  const pressed = getKeyCombination(event)
  if (pressesControl(pressed, event.target)) return
  const typing = isTyping(event.target)
  const dialog = hasOpenLayer()
  const matching = [...registered]
    .reverse()
    .flat()
    .filter(shortcut => {
      const keys = typeof shortcut.keys === 'string' ? [shortcut.keys] : shortcut.keys
      if (!keys.includes(pressed)) return false
      if ((typing && !shortcut.whileTyping) || (dialog && !shortcut.inDialog)) return false
      if (!areEnabled && !pressed.startsWith('mod+') && pressed !== 'Escape') return false
      return shortcut.when?.(event) ?? true
    })
  const shortcut = matching.find(({ when }) => when !== undefined) ?? matching[0]
  if (shortcut === undefined) return
  event.preventDefault()
  shortcut.run(event)
}

const NAMES: Record<string, string> = {
  mod: isMac ? '⌘' : 'Ctrl',
  shift: isMac ? '⇧' : 'Shift',
  alt: isMac ? '⌥' : 'Alt',
  Enter: '↵',
  Escape: 'Esc',
  ArrowUp: '↑',
  ArrowDown: '↓',
  ArrowLeft: '←',
  ArrowRight: '→',
  ' ': 'Space',
}

/** The names of the keys of a combination, as printed on them. */
export const getKeyNames = (keys: string): string[] =>
  keys.split('+').map(part => NAMES[part] ?? (part.length === 1 ? part.toUpperCase() : part))

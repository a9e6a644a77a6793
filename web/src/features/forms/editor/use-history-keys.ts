import type { KeyboardEvent } from 'react'
import { getKeyCombination } from '@/lib/shortcuts'
import { useEditor } from './editor-context'

/** Undo and redo for inputs that show the document, through its history. Returns true if it handled the key. */
export function useHistoryKeys() {
  const { undo, redo } = useEditor()
  return (event: KeyboardEvent): boolean => {
    if (event.defaultPrevented) return false
    const pressed = getKeyCombination(event.nativeEvent)
    if (pressed === 'mod+z') undo()
    else if (pressed === 'mod+shift+z' || pressed === 'mod+y') redo()
    else return false
    event.preventDefault()
    event.stopPropagation()
    return true
  }
}

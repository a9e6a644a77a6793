import type { KeyboardEvent } from 'react'
import { getKeyCombination } from '@/lib/shortcuts'
import { useEditor } from './editor-context'

/** For inputs that show the document: undo and redo go through its history. Returns true for a key that did. */
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

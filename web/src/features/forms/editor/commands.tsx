import { t } from '@lingui/core/macro'
import { createContext, type ReactNode, useCallback, useContext, useMemo, useRef, useState } from 'react'
import { hasSelectedText } from '@/lib/clipboard'
import { isRightToLeft } from '@/lib/i18n'
import { useShortcuts } from '@/lib/shortcuts'
import { copyNode, duplicateNode, paste } from '../document/clipboard'
import {
  findNeighbor,
  getNextPlace,
  getPlaceAfter,
  getPlaceInside,
  getPlaceOutside,
  insertNew,
  moveNode,
  type PaletteKind,
  removeNode,
} from '../document/operations'
import { contains, find, getChildren } from '../document/tree'
import type { Place } from '../document/types'
import { AddDialog } from './add-dialog'
import { readClip, saveClip } from './drafts'
import { useEditor } from './editor-context'
import { focusLabel, focusNode } from './focus'
import { describePlace, getName } from './names'

export type Direction = 'up' | 'down' | 'into' | 'out'

type Commands = {
  move: (direction: Direction) => void
  duplicate: () => void
  remove: () => void
  copy: () => void
  cut: () => void
  paste: () => void
  /** Asks what to add and inserts it; without a place, after the selected entry. */
  askWhat: (place?: Place) => void
  /** For layouts without a settings panel next to the canvas. */
  openSettings?: () => void
}

const Context = createContext<Commands | null>(null)

export function useCommands(): Commands {
  const commands = useContext(Context)
  if (commands === null) throw new Error('There are no commands around this.')
  return commands
}

/** Commands for the selected entry, by buttons and shortcuts. */
export function CommandArea({ children, openSettings }: { children: ReactNode; openSettings?: () => void }) {
  const editor = useEditor()
  const [addingAt, setAddingAt] = useState<Place | null>(null)
  const [said, setSaid] = useState('')
  const latest = useRef(editor)
  latest.current = editor

  const commands = useMemo((): Commands => {
    const selected = () => find(latest.current.document.layout, latest.current.selection)
    const move = (direction: Direction) => {
      const { document, apply } = latest.current
      const found = selected()
      if (found === null) return
      const { key } = found.node
      const place =
        direction === 'into'
          ? getPlaceInside(document, key)
          : direction === 'out'
            ? getPlaceOutside(document, key)
            : getNextPlace(document, key, direction)
      if (place === null) return
      apply(before => moveNode(before, key, place))
      const name = getName(document, found.node)
      setSaid(t`${name} moved. New position: ${{ position: describePlace(document, place) }}.`)
      focusNode(key)
    }
    const remove = () => {
      const { document, apply, select } = latest.current
      const found = selected()
      if (found === null) return
      const siblings = getChildren(document.layout, found.place.container) ?? []
      const before = findNeighbor(document, found.node.key, -1)
      const next =
        siblings[found.place.index + 1]?.key ?? (before && !contains(found.node, before) ? before : null)
      apply(now => removeNode(now, found.node.key))
      setSaid(t`${{ name: getName(document, found.node) }} deleted`)
      select(next)
      focusNode(next)
    }
    const copy = () => {
      const found = selected()
      const clip = found && copyNode(latest.current.document, found.node.key)
      if (!found || !clip) return
      saveClip(clip)
      setSaid(t`${{ name: getName(latest.current.document, found.node) }} copied`)
    }
    const put = (made: ReturnType<typeof paste>) => {
      if (made === null) return
      latest.current.apply(() => made.document)
      latest.current.select(made.key)
      focusNode(made.key)
    }
    return {
      move,
      remove,
      copy,
      cut: () => {
        copy()
        remove()
      },
      duplicate: () => {
        const found = selected()
        if (found) put(duplicateNode(latest.current.document, found.node.key))
      },
      paste: () => {
        const { document, selection } = latest.current
        const clip = readClip()
        if (clip) put(paste(document, clip, getPlaceAfter(document, selection)))
      },
      askWhat: place =>
        setAddingAt(place ?? getPlaceAfter(latest.current.document, latest.current.selection)),
      openSettings,
    }
  }, [openSettings])

  const add = useCallback(
    (kind: PaletteKind) => {
      const { document, apply, select } = latest.current
      if (addingAt === null) return
      const made = insertNew(document, kind, addingAt)
      setAddingAt(null)
      apply(() => made.document)
      select(made.key)
      if (openSettings === undefined) focusLabel()
      else focusNode(made.key)
    },
    [addingAt, openSettings],
  )
  useEditingShortcuts(commands)
  return (
    <Context value={commands}>
      {children}
      <p role="status" className="sr-only">
        {said}
      </p>
      {addingAt !== null && <AddDialog onAdd={add} onClose={() => setAddingAt(null)} />}
    </Context>
  )
}

function useEditingShortcuts(commands: Commands) {
  const { select } = useEditor()
  useShortcuts(
    useMemo(() => {
      const group = t`Review type editor`
      return [
        {
          keys: 'a',
          label: t`Add field after selection`,
          group,
          run: () => commands.askWhat(),
        },
        { keys: 'alt+ArrowUp', label: t`Move up`, group, run: () => commands.move('up') },
        { keys: 'alt+ArrowDown', label: t`Move down`, group, run: () => commands.move('down') },
        {
          keys: isRightToLeft() ? 'alt+ArrowLeft' : 'alt+ArrowRight',
          label: t`Move into adjacent container`,
          group,
          run: () => commands.move('into'),
        },
        {
          keys: isRightToLeft() ? 'alt+ArrowRight' : 'alt+ArrowLeft',
          label: t`Move out of container`,
          group,
          run: () => commands.move('out'),
        },
        { keys: 'mod+d', label: t`Duplicate`, group, run: commands.duplicate },
        { keys: 'mod+c', label: t`Copy`, group, when: hasNoSelectedText, run: commands.copy },
        {
          keys: 'mod+x',
          label: t({ message: 'Cut', comment: 'To the clipboard' }),
          group,
          when: hasNoSelectedText,
          run: commands.cut,
        },
        { keys: 'mod+v', label: t`Paste`, group, run: commands.paste },
        { keys: ['Delete', 'Backspace'], label: t`Delete`, group, run: commands.remove },
        {
          keys: 'e',
          label: t`Edit properties`,
          group,
          run: commands.openSettings ?? focusLabel,
        },
        {
          keys: 'Escape',
          label: t`Clear selection`,
          group,
          keyboardOnly: true,
          run: () => select(null),
        },
      ]
    }, [commands, select]),
  )
}

/** With text selected, the browser copies and cuts. */
const hasNoSelectedText = () => !hasSelectedText()

import {
  type Announcements,
  type CollisionDetection,
  closestCenter,
  DndContext,
  type DragEndEvent,
  DragOverlay,
  type DragStartEvent,
  type DroppableContainer,
  KeyboardCode,
  type KeyboardCoordinateGetter,
  KeyboardSensor,
  MouseSensor,
  TouchSensor,
  useSensor,
  useSensors,
} from '@dnd-kit/core'
import { t } from '@lingui/core/macro'
import { createContext, type ReactNode, useContext, useMemo, useState } from 'react'
import { canMove, insertNew, moveNode, type PaletteKind } from '../document/operations'
import { find, getContainers, walk } from '../document/tree'
import type { EditorDocument, Place } from '../document/types'
import { useEditor } from './editor-context'
import { focusLabel, focusNode } from './focus'
import { getName } from './names'
import { getPaletteName } from './palette-items'
import { TypeIcon } from './type-icons'

/** What is being dragged: something new from the palette, or an entry of the canvas. */
export type Dragged = { from: 'palette'; kind: PaletteKind } | { from: 'canvas'; key: string }

type Dragging = {
  dragged: Dragged | null
  /** The containers inside the dragged entry, which can't be dropped into itself. */
  closed: ReadonlySet<string>
}

const Context = createContext<Dragging>({ dragged: null, closed: new Set() })

export const useDragging = (): Dragging => useContext(Context)

const BY_MOUSE = { activationConstraint: { distance: 5 } }
// A long press, so that a finger can still scroll the page.
const BY_TOUCH = { activationConstraint: { delay: 180, tolerance: 8 } }

const isSlot = (container: DroppableContainer) => container.data.current?.place !== undefined

/** By pointer: the nearest place in the innermost box under it. By keyboard: the chosen place. */
const detectCollisions: CollisionDetection = args => {
  const slots = args.droppableContainers.filter(isSlot)
  const pointer = args.pointerCoordinates
  if (pointer === null) return closestCenter({ ...args, droppableContainers: slots })
  const boxes = args.droppableContainers.flatMap(container => {
    const rect = args.droppableRects.get(container.id)
    if (isSlot(container) || rect === undefined) return []
    const isUnder =
      pointer.x >= rect.left && pointer.x <= rect.right && pointer.y >= rect.top && pointer.y <= rect.bottom
    return isUnder ? [{ box: container.data.current?.box as string, area: rect.width * rect.height }] : []
  })
  const [innermost] = boxes.sort((a, b) => a.area - b.area)
  if (innermost === undefined) return []
  const inside = slots.filter(
    slot => (slot.data.current?.place as Place | undefined)?.container === innermost.box,
  )
  return inside
    .flatMap(slot => {
      const rect = args.droppableRects.get(slot.id)
      if (rect === undefined) return []
      const dx = Math.max(rect.left - pointer.x, 0, pointer.x - rect.right)
      const dy = Math.max(rect.top - pointer.y, 0, pointer.y - rect.bottom)
      return [{ id: slot.id, data: { droppableContainer: slot, value: Math.hypot(dx, dy) } }]
    })
    .sort((a, b) => a.data.value - b.data.value)
}

const STEPS: Readonly<Record<string, 1 | -1>> = {
  [KeyboardCode.Down]: 1,
  [KeyboardCode.Right]: 1,
  [KeyboardCode.Up]: -1,
  [KeyboardCode.Left]: -1,
}

/** Arrow keys move between places, in reading order and into boxes. */
const nextSlot: KeyboardCoordinateGetter = (event, { context }) => {
  const step = STEPS[event.code]
  const rect = context.collisionRect
  if (step === undefined || rect === null) return undefined
  event.preventDefault()
  const slots = context.droppableContainers
    .getEnabled()
    .filter(isSlot)
    .filter(slot => slot.node.current !== null)
    .sort((a, b) => {
      const [left, right] = [a.node.current, b.node.current]
      if (left === null || right === null) return 0
      return left.compareDocumentPosition(right) & Node.DOCUMENT_POSITION_FOLLOWING ? -1 : 1
    })
  const at = slots.findIndex(slot => slot.id === context.over?.id)
  const next = slots[at < 0 ? (step === 1 ? 0 : slots.length - 1) : at + step]
  const place = next && context.droppableRects.get(next.id)
  if (place === undefined) return undefined
  return {
    x: place.left + place.width / 2 - rect.width / 2,
    y: place.top + place.height / 2 - rect.height / 2,
  }
}

const BY_KEYS = { coordinateGetter: nextSlot }

/** Drag and drop between the palette and the canvas, by mouse, touch and keyboard. */
export function DragArea({ children }: { children: ReactNode }) {
  const { document, apply, select } = useEditor()
  const [dragged, setDragged] = useState<Dragged | null>(null)
  const sensors = useSensors(
    useSensor(MouseSensor, BY_MOUSE),
    useSensor(TouchSensor, BY_TOUCH),
    useSensor(KeyboardSensor, BY_KEYS),
  )
  const dragging = useMemo(
    () => ({ dragged, closed: getClosedContainers(document, dragged) }),
    [document, dragged],
  )

  const start = ({ active }: DragStartEvent) =>
    setDragged((active.data.current as Dragged | undefined) ?? null)
  const end = ({ over }: DragEndEvent) => {
    setDragged(null)
    const place = over?.data.current?.place as Place | undefined
    if (place === undefined || dragged === null) return
    if (dragged.from === 'palette') {
      const made = insertNew(document, dragged.kind, place)
      apply(() => made.document)
      select(made.key)
      focusLabel()
    } else if (canMove(document, dragged.key, place)) {
      apply(before => moveNode(before, dragged.key, place))
      select(dragged.key)
      focusNode(dragged.key)
    }
  }
  return (
    <DndContext
      sensors={sensors}
      collisionDetection={detectCollisions}
      onDragStart={start}
      onDragEnd={end}
      onDragCancel={() => setDragged(null)}
      accessibility={{
        announcements: announcements(document),
        screenReaderInstructions: {
          draggable: t`Press Space or Enter to pick up. Use the arrow keys to move, Space or Enter to drop, and Escape to cancel.`,
        },
      }}
    >
      <Context value={dragging}>{children}</Context>
      <DragOverlay dropAnimation={null}>
        {dragged && <Shadow document={document} dragged={dragged} />}
      </DragOverlay>
    </DndContext>
  )
}

function getClosedContainers(document: EditorDocument, dragged: Dragged | null): ReadonlySet<string> {
  if (dragged?.from !== 'canvas') return new Set()
  const found = find(document.layout, dragged.key)
  if (found === null) return new Set()
  return new Set(
    [...walk([found.node])].flatMap(({ node }) => getContainers(node).map(each => each.container)),
  )
}

function Shadow({ document, dragged }: { document: EditorDocument; dragged: Dragged }) {
  const node = dragged.from === 'canvas' ? find(document.layout, dragged.key)?.node : undefined
  const field = node?.kind === 'field' ? document.fields.find(each => each.id === node.field) : undefined
  const kind = dragged.from === 'palette' ? dragged.kind : (field?.type ?? (node?.kind as PaletteKind))
  return (
    <div className="flex w-fit max-w-60 items-center gap-2 rounded-md bg-raised px-3 py-2 font-medium shadow-float">
      {kind && <TypeIcon kind={kind} />}
      <span className="truncate">
        {dragged.from === 'palette' ? getPaletteName(dragged.kind) : node && getName(document, node)}
      </span>
    </div>
  )
}

function announcements(document: EditorDocument): Announcements {
  const getDraggedName = (data: unknown): string => {
    const dragged = data as Dragged | undefined
    if (dragged?.from === 'palette') return getPaletteName(dragged.kind)
    const node = dragged && find(document.layout, dragged.key)?.node
    return node ? getName(document, node) : t`Item`
  }
  const getPosition = (data: unknown) => (data as { words?: string } | undefined)?.words
  const describeCanceledMove = (name: string) => t`Move canceled. ${name} stays where it was.`
  return {
    onDragStart: ({ active }) => t`Picked up ${{ name: getDraggedName(active.data.current) }}.`,
    onDragOver: ({ active, over }) => {
      const [name, position] = [getDraggedName(active.data.current), getPosition(over?.data.current)]
      return position ? t`${name}: ${position}.` : t`${name} isn't over a drop area.`
    },
    onDragEnd: ({ active, over }) => {
      const [name, position] = [getDraggedName(active.data.current), getPosition(over?.data.current)]
      return position ? t`Dropped ${name}. New position: ${position}.` : describeCanceledMove(name)
    },
    onDragCancel: ({ active }) => describeCanceledMove(getDraggedName(active.data.current)),
  }
}

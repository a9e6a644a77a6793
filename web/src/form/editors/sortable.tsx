import {
  type Announcements,
  closestCenter,
  DndContext,
  type DragEndEvent,
  KeyboardSensor,
  PointerSensor,
  type UniqueIdentifier,
  useSensor,
  useSensors,
} from '@dnd-kit/core'
import {
  rectSortingStrategy,
  SortableContext,
  sortableKeyboardCoordinates,
  useSortable,
} from '@dnd-kit/sortable'
import { t } from '@lingui/core/macro'
import { GripVertical } from 'lucide-react'
import { type CSSProperties, type ReactNode, useMemo } from 'react'
import { ITEM_TEXTS, type Noun } from './item-texts'

// Constant: new options in every render would render every item again.
const BY_POINTER = { activationConstraint: { distance: 4 } }
const BY_KEYS = { coordinateGetter: sortableKeyboardCoordinates }

/** Items that can be sorted by dragging, with the mouse, touch or the keyboard. */
export function Sortable({
  keys,
  noun,
  start,
  total,
  onMove,
  children,
}: {
  keys: readonly string[]
  noun: Noun
  /** The index of the first item, counted from 0. */
  start: number
  total: number
  onMove: (from: string, to: string) => void
  children: ReactNode
}) {
  const sensors = useSensors(useSensor(PointerSensor, BY_POINTER), useSensor(KeyboardSensor, BY_KEYS))
  // A new array would render every item again.
  const joined = keys.join(' ')
  const places = useMemo(() => joined.split(' ').filter(Boolean), [joined])
  const end = ({ active, over }: DragEndEvent) => over && onMove(String(active.id), String(over.id))
  const accessibility = useMemo(
    () => getAnnouncement(places, noun, start, total),
    [places, noun, start, total],
  )
  return (
    <DndContext
      sensors={sensors}
      collisionDetection={closestCenter}
      accessibility={accessibility}
      onDragEnd={end}
    >
      <SortableContext items={places} strategy={rectSortingStrategy}>
        {children}
      </SortableContext>
    </DndContext>
  )
}

/** What screen readers announce during a drag. */
function getAnnouncement(keys: readonly string[], noun: Noun, start: number, total: number) {
  const words = ITEM_TEXTS[noun]
  const place = ({ id }: { id: UniqueIdentifier }) => start + keys.indexOf(String(id)) + 1
  const announcements: Announcements = {
    onDragStart: ({ active }) => words.pickedUp(place(active)),
    onDragOver: ({ active, over }) => (over ? words.movesTo(place(active), place(over), total) : undefined),
    onDragEnd: ({ active, over }) =>
      over ? words.dropped(place(active), place(over), total) : words.canceled(place(active)),
    onDragCancel: ({ active }) => words.canceled(place(active)),
  }
  const draggable = t`To reorder, press Space or Enter. Move with the arrow keys, then press Space or Enter to drop, or Escape to cancel.`
  return { announcements, screenReaderInstructions: { draggable } }
}

export type SortablePlace = {
  ref: (element: HTMLElement | null) => void
  style: CSSProperties
  handle: ReactNode
}

/** The position of an item during a drag, and its drag handle. */
export function useSortablePlace(key: string, label: string, disabled: boolean): SortablePlace {
  const { setNodeRef, transform, transition, isDragging, attributes, listeners } = useSortable({
    id: key,
    disabled,
    attributes: {
      roleDescription: t({ message: 'sortable', comment: 'What screen readers call a drag handle' }),
    },
  })
  return {
    ref: setNodeRef,
    style: {
      transform: transform === null ? undefined : `translate(${transform.x}px, ${transform.y}px)`,
      transition,
      ...(isDragging && { position: 'relative', zIndex: 10, opacity: 0.85 }),
    },
    handle: disabled ? null : (
      <button
        type="button"
        {...attributes}
        {...listeners}
        data-drag-handle
        aria-label={label}
        className="flex h-8 w-6 shrink-0 cursor-grab touch-none items-center justify-center rounded text-muted hover:bg-sunken pointer-coarse:min-h-11 pointer-coarse:w-8"
      >
        <GripVertical />
      </button>
    ),
  }
}

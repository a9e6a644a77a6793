import {
  closestCenter,
  DndContext,
  type DragEndEvent,
  KeyboardSensor,
  PointerSensor,
  useSensor,
  useSensors,
} from '@dnd-kit/core'
import {
  rectSortingStrategy,
  SortableContext,
  sortableKeyboardCoordinates,
  useSortable,
} from '@dnd-kit/sortable'
import { GripVertical } from 'lucide-react'
import { type CSSProperties, type ReactNode, useMemo } from 'react'

// Kept outside: new options at every render would render every item anew.
const BY_POINTER = { activationConstraint: { distance: 4 } }
const BY_KEYS = { coordinateGetter: sortableKeyboardCoordinates }

/** Items that can be dragged to other places, with the mouse, a finger or the keyboard. */
export function Sortable({
  keys,
  onMove,
  children,
}: {
  keys: readonly string[]
  onMove: (from: string, to: string) => void
  children: ReactNode
}) {
  const sensors = useSensors(useSensor(PointerSensor, BY_POINTER), useSensor(KeyboardSensor, BY_KEYS))
  // A new array would render every item anew.
  const joined = keys.join(' ')
  const places = useMemo(() => joined.split(' ').filter(Boolean), [joined])
  const end = ({ active, over }: DragEndEvent) => over && onMove(String(active.id), String(over.id))
  return (
    <DndContext sensors={sensors} collisionDetection={closestCenter} onDragEnd={end}>
      <SortableContext items={places} strategy={rectSortingStrategy}>
        {children}
      </SortableContext>
    </DndContext>
  )
}

export type SortablePlace = {
  ref: (element: HTMLElement | null) => void
  style: CSSProperties
  handle: ReactNode
}

/** Where one of them is while it is dragged, and what it is dragged by. */
export function useSortablePlace(key: string, label: string, disabled: boolean): SortablePlace {
  const { setNodeRef, transform, transition, isDragging, attributes, listeners } = useSortable({
    id: key,
    disabled,
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
        aria-label={`Drag ${label}`}
        className="flex h-8 w-6 shrink-0 cursor-grab touch-none items-center justify-center rounded text-muted hover:bg-sunken max-md:h-11 max-md:w-8"
      >
        <GripVertical size={15} aria-hidden="true" />
      </button>
    ),
  }
}

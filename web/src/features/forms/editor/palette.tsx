import { useDraggable } from '@dnd-kit/core'
import { t } from '@lingui/core/macro'
import { Tooltip } from '@/components/tooltip'
import { getPlaceAfter, insertNew, type PaletteKind } from '../document/operations'
import type { Dragged } from './dragging'
import { useEditor } from './editor-context'
import { focusLabel } from './focus'
import { type PaletteItem, palette } from './palette-items'
import { TypeIcon } from './type-icons'

/** Everything that can be added to the canvas, by dragging or clicking. */
export function Palette() {
  const { document, selection, apply, select } = useEditor()
  const add = (kind: PaletteKind) => {
    const made = insertNew(document, kind, getPlaceAfter(document, selection))
    apply(() => made.document)
    select(made.key)
    focusLabel()
  }
  return (
    <section aria-label={t`Fields`} className="flex flex-col gap-3 px-2 py-3">
      {palette().map(({ id, heading, items }) => (
        <div key={id}>
          <h3 className="px-2 pb-1 font-medium text-muted text-xs">{heading}</h3>
          <ul>
            {items.map(item => (
              <li key={item.kind}>
                <Entry item={item} onAdd={() => add(item.kind)} />
              </li>
            ))}
          </ul>
        </div>
      ))}
    </section>
  )
}

function Entry({ item, onAdd }: { item: PaletteItem; onAdd: () => void }) {
  const data: Dragged = { from: 'palette', kind: item.kind }
  const { setNodeRef, listeners } = useDraggable({ id: `palette ${item.kind}`, data })
  return (
    <Tooltip label={item.about}>
      <button
        ref={setNodeRef}
        type="button"
        // With the keyboard, it's added after the selected entry and moved from there.
        onMouseDown={listeners?.onMouseDown as React.MouseEventHandler | undefined}
        onTouchStart={listeners?.onTouchStart as React.TouchEventHandler | undefined}
        onClick={onAdd}
        aria-label={t`Add ${{ name: item.name }}: ${{ description: item.about }}`}
        className="flex w-full cursor-grab select-none items-center gap-2 rounded-md px-2 py-1 text-start hover:bg-sunken"
      >
        <span className="text-muted">
          <TypeIcon kind={item.kind} />
        </span>
        <span className="truncate">{item.name}</span>
      </button>
    </Tooltip>
  )
}

import { useDroppable } from '@dnd-kit/core'
import { t } from '@lingui/core/macro'
import { Plus } from 'lucide-react'
import { Fragment, type ReactNode } from 'react'
import { classes } from '@/lib/classes'
import { getColumn, ROOT } from '../document/tree'
import type { Container, EditorNode, NodeOf, Place } from '../document/types'
import { useCommands } from './commands'
import { useDragging } from './dragging'
import { useEditor } from './editor-context'
import { EntryFrame } from './entry-frame'
import { FieldSketch } from './field-sketch'
import { describePlace, getName } from './names'

const WIDTHS = {
  narrow: 'max-w-[36rem]',
  medium: 'max-w-[48rem]',
  wide: 'max-w-[72rem]',
  full: 'max-w-none',
} as const

/** The layout as nested boxes that look like the review. */
export function Canvas() {
  const { document, select } = useEditor()
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: a click on the background deselects; so does Escape
    // biome-ignore lint/a11y/useKeyWithClickEvents: as above
    <div
      onClick={event => event.target === event.currentTarget && select(null)}
      className="min-h-full px-4 py-4"
    >
      <div className={classes('mx-auto', WIDTHS[document.width])}>
        <Box container={ROOT} nodes={document.layout} isRoot />
      </div>
    </div>
  )
}

/** Stacked entries, with a drop target before each and after the last. */
function Box({
  container,
  nodes,
  isRoot = false,
  columns,
}: {
  container: Container
  nodes: readonly EditorNode[]
  isRoot?: boolean
  /** The number of columns of a grid. */
  columns?: number
}) {
  const { closed } = useDragging()
  const isClosed = closed.has(container)
  const { setNodeRef } = useDroppable({
    id: `box ${container}`,
    data: { box: container },
    disabled: isClosed,
  })
  if (nodes.length === 0)
    return (
      <div ref={setNodeRef} className="min-w-0 flex-1">
        <EmptySlot place={{ container, index: 0 }} disabled={isClosed} isRoot={isRoot} />
      </div>
    )
  if (columns !== undefined)
    return (
      <div
        ref={setNodeRef}
        className="grid min-w-0 gap-2"
        style={{ gridTemplateColumns: `repeat(${columns}, minmax(0, 1fr))` }}
      >
        {nodes.map((node, index) => (
          <div key={node.key} className="min-w-0">
            <Slot place={{ container, index }} disabled={isClosed} />
            <Entry node={node} />
          </div>
        ))}
        <div className="min-w-0 pt-3">
          <EmptySlot place={{ container, index: nodes.length }} disabled={isClosed} isRoot={false} />
        </div>
      </div>
    )
  return (
    <div ref={setNodeRef} className="min-w-0 flex-1">
      {nodes.map((node, index) => (
        <Fragment key={node.key}>
          <Slot place={{ container, index }} disabled={isClosed} />
          <Entry node={node} />
        </Fragment>
      ))}
      <Slot place={{ container, index: nodes.length }} disabled={isClosed} isLast={isRoot} />
    </div>
  )
}

function useSlot(place: Place, disabled: boolean) {
  const { document } = useEditor()
  return useDroppable({
    id: `slot ${place.container} ${place.index}`,
    data: { place, words: describePlace(document, place) },
    disabled,
  })
}

function Slot({ place, disabled, isLast = false }: { place: Place; disabled: boolean; isLast?: boolean }) {
  const { setNodeRef, isOver } = useSlot(place, disabled)
  return (
    <div ref={setNodeRef} className={classes('flex items-center', isLast ? 'h-8' : 'h-3')}>
      <div className={classes('h-0.5 w-full rounded-full', isOver && 'bg-accent')} />
    </div>
  )
}

function EmptySlot({ place, disabled, isRoot }: { place: Place; disabled: boolean; isRoot: boolean }) {
  const { setNodeRef, isOver } = useSlot(place, disabled)
  const { askWhat } = useCommands()
  const { document } = useEditor()
  return (
    <div ref={setNodeRef}>
      <button
        type="button"
        onClick={() => askWhat(place)}
        aria-label={isRoot ? undefined : t`Add field: ${{ position: describePlace(document, place) }}`}
        className={classes(
          'flex w-full items-center justify-center gap-2 rounded-lg border border-line-strong/50 border-dashed px-2 text-muted text-sm hover:border-accent hover:text-ink',
          isRoot ? 'min-h-48 flex-col' : 'min-h-14',
          isOver && 'border-accent bg-accent-soft',
        )}
      >
        <Plus className={isRoot ? 'icon-large' : undefined} />
        {isRoot ? (
          <>
            <span className="pointer-coarse:hidden">{t`Drag a field here, or press A to add one`}</span>
            <span className="hidden pointer-coarse:inline">{t`Tap to add a field`}</span>
          </>
        ) : (
          <span className="max-xl:sr-only">{t`Add field`}</span>
        )}
      </button>
    </div>
  )
}

function Entry({ node }: { node: EditorNode }) {
  const { document } = useEditor()
  if (node.kind === 'field') {
    const field = document.fields.find(each => each.id === node.field)
    return <EntryFrame node={node}>{field && <FieldSketch field={field} />}</EntryFrame>
  }
  return (
    <EntryFrame node={node}>
      <Inside node={node} title={getName(document, node)} />
    </EntryFrame>
  )
}

function Inside({ node, title }: { node: Exclude<EditorNode, NodeOf<'field'>>; title: string }): ReactNode {
  if (node.kind === 'columns')
    return (
      <div className="flex min-w-0 gap-2 p-2 pt-0">
        {node.columns.map((column, index) => (
          <Box key={getColumn(node.key, index)} container={getColumn(node.key, index)} nodes={column} />
        ))}
      </div>
    )
  if (node.kind === 'grid')
    return (
      <div className="p-2 pt-0">
        <Box container={node.key} nodes={node.children} columns={node.columns} />
      </div>
    )
  return (
    <div className="p-2 pt-0">
      <p className="sr-only">{title}</p>
      <Box container={node.key} nodes={node.children} />
    </div>
  )
}

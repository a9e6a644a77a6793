import { useDraggable } from '@dnd-kit/core'
import { t } from '@lingui/core/macro'
import {
  ArrowDown,
  ArrowUp,
  CircleAlert,
  CopyPlus,
  GripVertical,
  Settings2,
  Trash2,
  TriangleAlert,
} from 'lucide-react'
import type { KeyboardEvent, ReactNode } from 'react'
import { IconButton } from '@/components/button'
import { Badge } from '@/components/status'
import { classes } from '@/lib/classes'
import { findNeighbor } from '../document/operations'
import type { EditorNode } from '../document/types'
import { useCommands } from './commands'
import { type Dragged, useDragging } from './dragging'
import { useEditor } from './editor-context'
import { focusNode, nodeElementId } from './focus'
import { getNodeIssues } from './issues'
import { getKindText, getName } from './names'
import { TypeIcon } from './type-icons'

/** An entry of the canvas: its name, which selects it, a drag handle, and its actions. */
export function EntryFrame({ node, children }: { node: EditorNode; children: ReactNode }) {
  const { document, selection, select, checked } = useEditor()
  const { dragged } = useDragging()
  const data: Dragged = { from: 'canvas', key: node.key }
  const { setNodeRef, listeners, attributes, setActivatorNodeRef } = useDraggable({ id: node.key, data })
  const isSelected = selection === node.key
  const isDragged = dragged?.from === 'canvas' && dragged.key === node.key
  const field = node.kind === 'field' ? document.fields.find(each => each.id === node.field) : undefined
  const kind = field?.type ?? (node.kind === 'field' ? 'text' : node.kind)
  const issues = getNodeIssues(checked.issues, node.key)
  const hasError = issues.some(issue => issue.severity === 'error')
  const ruled = document.rules.some(
    rule => rule.target === (node.kind === 'field' ? node.field : node.kind === 'group' ? node.id : null),
  )

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : null
    if (step === null) return
    event.preventDefault()
    const next = findNeighbor(document, node.key, step)
    if (next === null) return
    select(next)
    focusNode(next)
  }
  return (
    <div
      ref={setNodeRef}
      data-entry={node.kind}
      className={classes(
        'group/entry relative min-w-0 rounded-lg border bg-surface',
        isSelected
          ? 'border-accent outline outline-accent'
          : hasError
            ? 'border-bad'
            : 'border-line hover:border-line-strong',
        node.kind === 'columns' || node.kind === 'grid' ? 'border-dashed' : '',
        isDragged && 'opacity-40',
      )}
    >
      <div className="flex min-w-0 items-center pe-1">
        <button
          ref={setActivatorNodeRef}
          type="button"
          {...attributes}
          {...listeners}
          aria-label={t`Drag ${{ name: getName(document, node) }}`}
          className="flex h-8 w-6 shrink-0 cursor-grab touch-none items-center justify-center rounded text-muted opacity-40 focus-visible:opacity-100 group-hover/entry:opacity-100 pointer-coarse:min-h-11 pointer-coarse:w-9"
        >
          <GripVertical className="icon-small" />
        </button>
        <button
          id={nodeElementId(node.key)}
          type="button"
          aria-pressed={isSelected}
          onMouseDown={listeners?.onMouseDown as React.MouseEventHandler | undefined}
          onClick={() => select(node.key)}
          onKeyDown={onKeyDown}
          className="flex h-8 min-w-0 flex-1 items-center gap-1.5 rounded px-1 text-start font-medium text-sm pointer-coarse:min-h-11"
        >
          <span className="icon-small text-muted">
            <TypeIcon kind={kind} />
          </span>
          <span dir="auto" className="truncate">
            {getName(document, node)}
          </span>
          <span className="sr-only">{getKindText(document, node)}</span>
        </button>
        <span className="flex shrink-0 items-center gap-1">
          {field?.required && <Badge>{t`Required`}</Badge>}
          {field && document.titleField === field.id && (
            <Badge>
              {t({ message: 'Title', context: 'badge of the field that gives reviews their title' })}
            </Badge>
          )}
          {ruled && <Badge tone="accent">{t`Conditional`}</Badge>}
        </span>
        {issues.length > 0 && (
          <span
            title={issues.map(issue => issue.message).join(' ')}
            className={hasError ? 'text-bad' : 'text-warn'}
          >
            {hasError ? <CircleAlert /> : <TriangleAlert />}
            <span className="sr-only">{issues.map(issue => issue.message).join(' ')}</span>
          </span>
        )}
        {isSelected && <Tools node={node} />}
      </div>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: a larger target; the name above works for everyone */}
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: as above */}
      <div
        onClick={event => {
          if (node.kind === 'field' || event.target === event.currentTarget) select(node.key)
        }}
      >
        {children}
      </div>
    </div>
  )
}

function Tools({ node }: { node: EditorNode }) {
  const { document } = useEditor()
  const commands = useCommands()
  const name = getName(document, node)
  return (
    <div className="absolute -top-5 end-2 z-10 flex items-center rounded-md border border-line bg-raised pointer-coarse:-top-8">
      {commands.openSettings && (
        <IconButton
          size="small"
          label={t`${name} properties`}
          icon={<Settings2 />}
          onClick={commands.openSettings}
        />
      )}
      <IconButton
        size="small"
        label={t`Move ${name} up`}
        keys="alt+ArrowUp"
        icon={<ArrowUp />}
        onClick={() => commands.move('up')}
      />
      <IconButton
        size="small"
        label={t`Move ${name} down`}
        keys="alt+ArrowDown"
        icon={<ArrowDown />}
        onClick={() => commands.move('down')}
      />
      <IconButton
        size="small"
        label={t`Duplicate ${name}`}
        keys="mod+d"
        icon={<CopyPlus />}
        onClick={commands.duplicate}
        className="max-md:hidden"
      />
      <IconButton
        size="small"
        label={t`Delete ${name}`}
        keys="Delete"
        icon={<Trash2 />}
        onClick={commands.remove}
      />
    </div>
  )
}

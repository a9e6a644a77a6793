import { Link } from '@tanstack/react-router'
import { ChevronLeft, Redo2, Undo2 } from 'lucide-react'
import { useEffect, useRef } from 'react'
import { Button, IconButton } from '@/components/button'
import { Badge } from '@/components/status'
import { classes } from '@/lib/classes'
import { type Tab, useEditor } from './editor-context'
import { IssueMenu } from './issue-menu'

const TABS: readonly { id: Tab; label: string }[] = [
  { id: 'design', label: 'Design' },
  { id: 'rules', label: 'Rules' },
  { id: 'behaviour', label: 'Reviewers and behaviour' },
  { id: 'try', label: 'Try it' },
  { id: 'versions', label: 'Versions' },
  { id: 'code', label: 'Code' },
]

/** What is edited, how it stands, and the way to save it. */
export function TopBar({
  isDirty,
  isSaving,
  onSave,
}: {
  isDirty: boolean
  isSaving: boolean
  onSave: () => void
}) {
  const { document, saved, undo, redo, canUndo, canRedo, checked } = useEditor()
  return (
    <header className="shrink-0 border-line border-b">
      <div className="flex flex-wrap items-center gap-x-2 gap-y-1 px-3 pt-2">
        <Link
          to="/review-types"
          aria-label="All review types"
          className="grid size-8 shrink-0 place-items-center rounded-md text-muted hover:bg-sunken hover:text-ink max-md:size-11"
        >
          <ChevronLeft size={17} aria-hidden="true" />
        </Link>
        <h1 className="min-w-0 truncate font-semibold text-lg">
          {document.name || 'Review type without a name'}
        </h1>
        {saved ? <Badge>Version {saved.version}</Badge> : <Badge tone="accent">New</Badge>}
        <span role="status" className="min-w-0 flex-1 truncate text-muted text-sm max-md:sr-only">
          {isSaving ? 'Saving …' : isDirty ? 'Not saved yet' : saved ? 'Saved' : ''}
        </span>
        <div className="flex items-center gap-2 max-md:w-full">
          <span className="flex max-md:flex-1">
            <IssueMenu />
          </span>
          <IconButton
            label="Undo"
            keys="mod+z"
            icon={<Undo2 size={16} />}
            disabled={!canUndo}
            onClick={undo}
            className="max-md:size-11!"
          />
          <IconButton
            label="Redo"
            keys="mod+shift+z"
            icon={<Redo2 size={16} />}
            disabled={!canRedo}
            onClick={redo}
            className="max-md:size-11!"
          />
          <Button
            kind="primary"
            keys="mod+s"
            busy={isSaving}
            disabled={!isDirty && saved !== null}
            onClick={onSave}
            title={checked.errors > 0 ? 'There are faults; the service will refuse it.' : undefined}
            className="max-md:h-11"
          >
            {saved === null ? 'Save' : 'Publish'}
          </Button>
        </div>
      </div>
      <Tabs />
    </header>
  )
}

function Tabs() {
  const { tab, show, document, checked } = useEditor()
  const row = useRef<HTMLElement>(null)
  // Where there is no room for all of them, the one that is shown should be among those that are.
  // biome-ignore lint/correctness/useExhaustiveDependencies: which one that is depends on the part
  useEffect(() => {
    row.current?.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest', inline: 'nearest' })
  }, [tab])
  const count = (id: Tab): number | null => (id === 'rules' ? document.rules.length || null : null)
  const hasFault = (id: Tab) =>
    id === 'rules' && checked.issues.some(issue => issue.place.kind === 'rule' && issue.severity === 'error')
  return (
    <nav ref={row} aria-label="Parts of the review type" className="flex overflow-x-auto px-3">
      {TABS.map(({ id, label }) => (
        <button
          key={id}
          type="button"
          aria-current={tab === id ? 'page' : undefined}
          onClick={() => show(id)}
          className={classes(
            'flex shrink-0 items-center gap-1.5 whitespace-nowrap border-b-2 px-2.5 py-1.5 text-sm max-md:py-3',
            tab === id
              ? 'border-accent font-medium text-ink'
              : 'border-transparent text-muted hover:text-ink',
          )}
        >
          {label}
          {count(id) !== null && <span className="text-muted text-xs">{count(id)}</span>}
          {hasFault(id) && (
            <span role="img" aria-label="has faults" className="size-1.5 rounded-full bg-bad-solid" />
          )}
        </button>
      ))}
    </nav>
  )
}

import type { MessageDescriptor } from '@lingui/core'
import { msg, t } from '@lingui/core/macro'
import { Link } from '@tanstack/react-router'
import { ChevronLeft, Redo2, Undo2 } from 'lucide-react'
import { useEffect, useRef } from 'react'
import { Button, IconButton } from '@/components/button'
import { Badge } from '@/components/status'
import { classes } from '@/lib/classes'
import { formatNumber, i18n } from '@/lib/i18n'
import { type Tab, useEditor } from './editor-context'
import { IssueMenu } from './issue-menu'
import type { IssuePlace } from './issues'

const TABS: readonly { id: Tab; label: MessageDescriptor }[] = [
  { id: 'design', label: msg({ message: 'Design', context: 'tab of the review type editor' }) },
  { id: 'rules', label: msg`Rules` },
  { id: 'behavior', label: msg`Settings` },
  { id: 'translations', label: msg`Translations` },
  { id: 'try', label: msg({ message: 'Test', context: 'tab of the review type editor' }) },
  { id: 'versions', label: msg`Versions` },
  { id: 'code', label: msg({ message: 'Code', context: 'tab of the review type editor' }) },
]

/** The tabs for errors that aren't shown on the canvas. */
const TAB_OF_PLACE: Partial<Record<IssuePlace['kind'], Tab>> = { rule: 'rules', translation: 'translations' }

/** The title, the save state, and the button that publishes. */
export function TopBar({
  isDirty,
  isSaving,
  onSave,
  listsIssues,
  onListIssues,
}: {
  isDirty: boolean
  isSaving: boolean
  onSave: () => void
  listsIssues: boolean
  onListIssues: (open: boolean) => void
}) {
  const { document, saved, undo, redo, canUndo, canRedo, checked } = useEditor()
  return (
    <header className="shrink-0 border-line border-b">
      <div className="flex flex-wrap items-center gap-x-2 gap-y-1 px-3 pt-2">
        <Link
          to="/review-types"
          aria-label={t`Back to review types`}
          className="grid size-8 shrink-0 place-items-center rounded-md text-muted hover:bg-sunken hover:text-ink pointer-coarse:min-h-11 pointer-coarse:min-w-11"
        >
          <ChevronLeft />
        </Link>
        <h1 dir="auto" className="min-w-0 truncate font-semibold text-lg">
          {document.name || t`Untitled review type`}
        </h1>
        {saved ? (
          <Badge>{t`Version ${{ version: formatNumber(saved.version) }}`}</Badge>
        ) : (
          <Badge tone="accent">{t`Draft`}</Badge>
        )}
        <span
          role="status"
          title={isDirty ? t`Kept as a draft in this tab. Closing the tab deletes it.` : undefined}
          className="min-w-0 flex-1 truncate text-muted text-sm max-md:sr-only"
        >
          {isSaving ? t`Saving…` : isDirty ? t`Unsaved changes` : saved ? t`Saved` : ''}
        </span>
        <div className="flex items-center gap-2 max-md:w-full">
          <span className="flex max-md:flex-1">
            <IssueMenu open={listsIssues} onOpenChange={onListIssues} />
          </span>
          <IconButton label={t`Undo`} keys="mod+z" icon={<Undo2 />} disabled={!canUndo} onClick={undo} />
          <IconButton
            label={t`Redo`}
            keys="mod+shift+z"
            icon={<Redo2 />}
            disabled={!canRedo}
            onClick={redo}
          />
          <Button
            kind="primary"
            keys="mod+s"
            busy={isSaving}
            disabled={!isDirty && saved !== null}
            onClick={onSave}
            title={checked.errors > 0 ? t`Fix the errors before you publish.` : undefined}
          >
            {t`Publish`}
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
  // If there is no room for all tabs, scroll the current one into view.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the current tab changes what is in view
  useEffect(() => {
    row.current?.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest', inline: 'nearest' })
  }, [tab])
  const hasError = (id: Tab) =>
    checked.issues.some(issue => issue.severity === 'error' && TAB_OF_PLACE[issue.place.kind] === id)
  const counts: Partial<Record<Tab, number>> = {
    rules: document.rules.length,
    translations: document.languages.length,
  }
  return (
    <nav ref={row} aria-label={t`Review type`} className="flex overflow-x-auto px-3">
      {TABS.map(({ id, label }) => (
        <button
          key={id}
          type="button"
          aria-current={tab === id ? 'page' : undefined}
          onClick={() => show(id)}
          className={classes(
            'flex shrink-0 items-center gap-1.5 whitespace-nowrap border-b-2 px-2.5 py-1.5 text-sm pointer-coarse:py-3',
            tab === id
              ? 'border-accent font-medium text-ink'
              : 'border-transparent text-muted hover:text-ink',
          )}
        >
          {i18n._(label)}
          {counts[id] ? <span className="text-muted text-xs">{formatNumber(counts[id])}</span> : null}
          {hasError(id) && (
            <span role="img" aria-label={t`has errors`} className="size-1.5 rounded-full bg-bad-solid" />
          )}
        </button>
      ))}
    </nav>
  )
}

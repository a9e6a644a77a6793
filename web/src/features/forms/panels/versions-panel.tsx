import { useQuery } from '@tanstack/react-query'
import { ChevronRight, RotateCcw } from 'lucide-react'
import { useMemo, useState } from 'react'
import { versionsQuery } from '@/api/forms/queries'
import type { Version } from '@/api/forms/types'
import { Button } from '@/components/button'
import { Badge, Empty, Failure, Spinner } from '@/components/status'
import { Time } from '@/components/time'
import { classes } from '@/lib/classes'
import { type ReadableForm, readForm } from '../document/read'
import type { EditorDocument } from '../document/types'
import { useEditor } from '../editor/editor-context'
import { DifferenceList } from './difference-list'

/** Every version there was: what it changed, and the way back to it. */
export default function VersionsPanel() {
  const { saved } = useEditor()
  if (saved === null) return <Empty title="No versions yet">The first one comes with the first saving.</Empty>
  return <Versions formId={saved.formId} />
}

function Versions({ formId }: { formId: string }) {
  const { document } = useEditor()
  const versions = useQuery(versionsQuery(formId))
  const [opened, setOpened] = useState<number | null>(null)
  if (versions.isPending) return <Spinner />
  if (versions.isError) return <Failure error={versions.error} onRetry={() => versions.refetch()} />
  return (
    <div className="mx-auto flex w-full max-w-3xl flex-col gap-4 px-4 py-6">
      <div>
        <h2 className="font-semibold text-lg">Versions</h2>
        <p className="text-muted">
          A review keeps the version that it was asked for with. Restoring an older one puts it on the canvas,
          where you see what you publish; publishing makes a new version of it.
        </p>
      </div>
      <ol className="border-line border-t">
        {versions.data.map((version, index) => (
          <VersionRow
            key={version.version}
            version={version}
            before={versions.data[index + 1] ?? null}
            document={document}
            isOpen={opened === version.version}
            onToggle={() => setOpened(opened === version.version ? null : version.version)}
          />
        ))}
      </ol>
    </div>
  )
}

function VersionRow({
  version,
  before,
  document,
  isOpen,
  onToggle,
}: {
  version: Version
  before: Version | null
  document: EditorDocument
  isOpen: boolean
  onToggle: () => void
}) {
  const { restore } = useEditor()
  const [against, setAgainst] = useState<'before' | 'now'>(before ? 'before' : 'now')
  const definition = useMemo(() => readForm(version.definition as ReadableForm), [version])
  return (
    <li className="border-line border-b">
      <div className="flex flex-wrap items-center gap-3 py-2">
        <button
          type="button"
          aria-expanded={isOpen}
          onClick={onToggle}
          className="flex min-w-0 flex-1 items-center gap-3 rounded px-1 py-1 text-left max-md:min-h-11"
        >
          <ChevronRight
            size={15}
            aria-hidden="true"
            className={classes('-mr-1 shrink-0 text-muted', isOpen && 'rotate-90')}
          />
          <span className="font-medium">Version {version.version}</span>
          {version.current && <Badge tone="good">In use</Badge>}
          <span className="truncate text-muted text-sm">
            {version.createdBy} · <Time at={version.createdAt} />
          </span>
        </button>
        {!version.current && (
          <Button
            size="small"
            icon={<RotateCcw size={14} />}
            onClick={() => restore(version.version, definition)}
            className="max-md:h-11"
          >
            Restore
          </Button>
        )}
      </div>
      {isOpen && (
        <div className="flex flex-col gap-3 pb-4 pl-7 max-md:pl-1">
          <div className="flex gap-2">
            {before && (
              <Button
                size="small"
                aria-pressed={against === 'before'}
                kind={against === 'before' ? 'plain' : 'quiet'}
                onClick={() => setAgainst('before')}
              >
                What it changed
              </Button>
            )}
            <Button
              size="small"
              aria-pressed={against === 'now'}
              kind={against === 'now' ? 'plain' : 'quiet'}
              onClick={() => setAgainst('now')}
            >
              Compare with the canvas
            </Button>
          </div>
          <DifferenceList
            before={against === 'before' && before ? readForm(before.definition as ReadableForm) : definition}
            after={against === 'before' ? definition : document}
          />
        </div>
      )}
    </li>
  )
}

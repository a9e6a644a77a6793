import { t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import { ChevronRight, RotateCcw } from 'lucide-react'
import { useMemo, useState } from 'react'
import { versionsQuery } from '@/api/forms/queries'
import type { Version } from '@/api/forms/types'
import { Button } from '@/components/button'
import { RelativeTime } from '@/components/relative-time'
import { Segments } from '@/components/segments'
import { Badge, EmptyState, ErrorState, Spinner } from '@/components/status'
import { classes } from '@/lib/classes'
import { formatNumber } from '@/lib/i18n'
import { type ReadableForm, readForm } from '../document/read'
import type { EditorDocument } from '../document/types'
import { useEditor } from '../editor/editor-context'
import { DifferenceList } from './difference-list'

/** All versions: what each changed, and a way to restore it. */
export default function VersionsPanel() {
  const { saved } = useEditor()
  if (saved === null)
    return (
      <EmptyState title={t`No versions yet`}>{t`Publish this review type to create version 1.`}</EmptyState>
    )
  return <Versions formId={saved.formId} />
}

function Versions({ formId }: { formId: string }) {
  const { document } = useEditor()
  const versions = useQuery(versionsQuery(formId))
  const [opened, setOpened] = useState<number | null>(null)
  if (versions.isPending) return <Spinner />
  if (versions.isError)
    return (
      <ErrorState
        title={t`Couldn't load the versions`}
        error={versions.error}
        onRetry={() => versions.refetch()}
      />
    )
  return (
    <div className="mx-auto flex w-full max-w-3xl flex-col gap-4 px-4 py-6">
      <div>
        <h2 className="font-semibold text-lg">{t`Versions`}</h2>
        <p className="text-muted">
          {t`Each review keeps the version it was created with. Restore loads an earlier version in the editor. Publish it to make it the current version.`}
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
          className="flex min-w-0 flex-1 items-center gap-3 rounded px-1 py-1 text-start pointer-coarse:min-h-11"
        >
          <ChevronRight
            className={classes('-me-1 shrink-0 text-muted', isOpen && 'rotate-90 rtl:-rotate-90')}
          />
          <span className="font-medium">{t`Version ${{ version: formatNumber(version.version) }}`}</span>
          {version.current && (
            <Badge tone="good">
              {t({ message: 'Current', comment: 'The version that new reviews use' })}
            </Badge>
          )}
          <span className="truncate text-muted text-sm">
            <bdi>{version.createdBy}</bdi> · <RelativeTime at={version.createdAt} />
          </span>
        </button>
        {!version.current && (
          <Button size="small" icon={<RotateCcw />} onClick={() => restore(version.version, definition)}>
            {t`Restore`}
          </Button>
        )}
      </div>
      {isOpen && (
        <div className="flex flex-col gap-3 ps-7 pb-4 max-md:ps-1">
          <Segments
            label={t`Compare`}
            options={[
              ...(before ? [{ id: 'before' as const, label: t`Changes in this version` }] : []),
              { id: 'now' as const, label: t`Compare with editor` },
            ]}
            value={against}
            onChange={setAgainst}
          />
          <DifferenceList
            before={against === 'before' && before ? readForm(before.definition as ReadableForm) : definition}
            after={against === 'before' ? definition : document}
          />
        </div>
      )}
    </li>
  )
}

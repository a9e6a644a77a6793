import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { ChevronDown } from 'lucide-react'
import { type ReactNode, useMemo, useState } from 'react'
import type { ApiError } from '@/api/client'
import { fetchForm as readSaved } from '@/api/forms/mutations'
import { Button } from '@/components/button'
import { Dialog } from '@/components/dialog'
import { Menu, MenuItem } from '@/components/menu'
import { RelativeTime } from '@/components/relative-time'
import { Badge, ErrorState, Spinner } from '@/components/status'
import { formatNumber } from '@/lib/i18n'
import { getChangeDetails, type Names } from '../document/change-details'
import { type Difference, findDifferences, getChangeKind, getChangeKindName, merge } from '../document/merge'
import { readForm } from '../document/read'
import type { EditorDocument } from '../document/types'
import { ChangeDetails } from '../panels/change-details'
import { useNames } from './use-names'

type Choice = Readonly<Record<string, 'mine' | 'theirs'>>

/** Someone else published first: shows their changes next to the member's own, and both merged. */
export function ConflictDialog({
  formId,
  conflict,
  base,
  mine,
  busy,
  error,
  onSave,
  onTakeTheirs,
  onClose,
}: {
  formId: string
  conflict: ApiError
  base: EditorDocument
  mine: EditorDocument
  busy: boolean
  /** Why publishing failed, if it did. */
  error: ReactNode
  onSave: (document: EditorDocument, version: number) => void
  onTakeTheirs: (document: EditorDocument) => void
  onClose: () => void
}) {
  // Fetched again for each conflict, even if it's cached.
  const theirs = useQuery({
    queryKey: [
      'review-type-conflict',
      formId,
      String(conflict.problem.currentVersion ?? conflict.problem.version),
    ],
    queryFn: () => readSaved(formId),
    staleTime: 0,
    gcTime: 0,
  })
  const [chosen, setChosen] = useState<Choice>({})
  const other = useMemo(() => theirs.data && readForm(theirs.data), [theirs.data])
  const found = useMemo(() => (other ? findDifferences(base, mine, other) : []), [base, mine, other])
  const documents = useMemo(() => [base, ...(other ? [other] : []), mine], [base, mine, other])
  const names = useNames(documents)
  const version = theirs.data?.version ?? 0
  return (
    <Dialog
      open
      firm
      width="large"
      onClose={onClose}
      title={t`Someone else published a newer version`}
      description={<ConflictDescription conflict={conflict} version={version} />}
      actions={
        <>
          <Menu
            align="start"
            trigger={
              <Button kind="quiet" disabled={!other || busy} className="sm:me-auto">
                {t`More options`}
                <ChevronDown className="icon-small" />
              </Button>
            }
          >
            <MenuItem danger onSelect={() => other && onTakeTheirs(other)}>
              {t`Use theirs`}
            </MenuItem>
            <MenuItem danger onSelect={() => onSave(mine, version)}>
              {t`Overwrite with mine`}
            </MenuItem>
          </Menu>
          <Button onClick={onClose}>{t`Keep editing`}</Button>
          <Button
            kind="primary"
            disabled={!other}
            busy={busy}
            onClick={() => other && onSave(merge(base, mine, other, chosen), version)}
          >
            {t`Merge and publish`}
          </Button>
        </>
      }
    >
      {error}
      {theirs.isPending && <Spinner />}
      {theirs.isError && (
        <ErrorState
          title={t`Couldn't load the newer version`}
          error={theirs.error}
          onRetry={() => theirs.refetch()}
        />
      )}
      {other && (
        <ul className="flex flex-col gap-2">
          {found.map(each => (
            <Row
              key={each.id}
              difference={each}
              names={names}
              documents={documents}
              chosen={chosen[each.id] ?? 'mine'}
              onChoose={side => setChosen({ ...chosen, [each.id]: side })}
            />
          ))}
        </ul>
      )}
    </Dialog>
  )
}

function ConflictDescription({ conflict, version: known }: { conflict: ApiError; version: number }) {
  const { savedBy, savedAt, currentVersion } = conflict.problem
  const version = formatNumber(Number(currentVersion ?? conflict.problem.version ?? known))
  const name = savedBy ? <bdi>{String(savedBy)}</bdi> : t`Someone else`
  if (typeof savedAt !== 'string')
    return (
      <Trans>
        {name} published version {version} while you were editing.
      </Trans>
    )
  return (
    <Trans>
      {name} published version {version} <RelativeTime at={savedAt} /> while you were editing.
    </Trans>
  )
}

function Row({
  difference,
  names,
  documents,
  chosen,
  onChoose,
}: {
  difference: Difference
  names: Names
  documents: readonly EditorDocument[]
  chosen: 'mine' | 'theirs'
  onChoose: (side: 'mine' | 'theirs') => void
}) {
  return (
    <li className="rounded-md border border-line p-3">
      <p className="mb-2 flex items-center gap-2 font-medium">
        <span dir="auto">{difference.label}</span>
        {difference.isConflict && <Badge tone="warn">{t`Conflict`}</Badge>}
      </p>
      <div className="grid gap-2 sm:grid-cols-2">
        {(['theirs', 'mine'] as const).map(side => {
          const done = getChangeKind(difference, side)
          const other = side === 'mine' ? 'theirs' : 'mine'
          const isTaken = difference.isConflict
            ? chosen === side
            : done !== 'unchanged' || getChangeKind(difference, other) === done
          return (
            <div key={side} className={isTaken ? 'rounded-md bg-good-soft p-2' : 'rounded-md bg-sunken p-2'}>
              <p className="flex items-center gap-2 text-sm">
                {difference.isConflict ? (
                  <label className="flex flex-1 items-center gap-2 font-medium">
                    <input
                      type="radio"
                      name={`conflict ${difference.id}`}
                      checked={chosen === side}
                      onChange={() => onChoose(side)}
                    />
                    {side === 'mine' ? t`Mine` : t`Theirs`}
                  </label>
                ) : (
                  <span className="flex-1 font-medium">{side === 'mine' ? t`Mine` : t`Theirs`}</span>
                )}
                <span className="text-muted">{getChangeKindName(done)}</span>
              </p>
              {done === 'changed' && (
                <ChangeDetails isNarrow details={getChangeDetails(difference, side, names, documents)} />
              )}
            </div>
          )
        })}
      </div>
    </li>
  )
}

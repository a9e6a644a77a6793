import { t } from '@lingui/core/macro'
import { useMemo } from 'react'
import { Badge, type Tone } from '@/components/status'
import { getChangeDetails } from '../document/change-details'
import { type ChangeKind, findDifferences, getChangeKind, getChangeKindName } from '../document/merge'
import type { EditorDocument } from '../document/types'
import { useNames } from '../editor/use-names'
import { ChangeDetails } from './change-details'

const TONES: Readonly<Record<ChangeKind, Tone>> = {
  added: 'good',
  removed: 'bad',
  changed: 'warn',
  unchanged: 'plain',
}

/** The differences between two definitions, part by part. */
export function DifferenceList({ before, after }: { before: EditorDocument; after: EditorDocument }) {
  const found = useMemo(() => findDifferences(before, after, before), [before, after])
  const documents = useMemo(() => [before, after], [before, after])
  const names = useNames(documents)
  if (found.length === 0) return <p className="text-muted">{t`No differences`}</p>
  return (
    <ul className="flex flex-col gap-2">
      {found.map(each => (
        <li key={each.id} className="rounded-md border border-line px-3 py-2">
          <p className="flex items-center gap-2">
            <Badge tone={TONES[getChangeKind(each, 'mine')]}>
              {getChangeKindName(getChangeKind(each, 'mine'))}
            </Badge>
            <span dir="auto" className="font-medium">
              {each.label}
            </span>
          </p>
          {getChangeKind(each, 'mine') === 'changed' && (
            <ChangeDetails details={getChangeDetails(each, 'mine', names, documents)} />
          )}
        </li>
      ))}
    </ul>
  )
}

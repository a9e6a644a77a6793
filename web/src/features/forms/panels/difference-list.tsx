import { t } from '@lingui/core/macro'
import { useMemo } from 'react'
import { Badge, type Tone } from '@/components/status'
import { changeDetails } from '../document/change-details'
import { type Deed, deed, deedName, differences } from '../document/merge'
import type { EditorDocument } from '../document/types'
import { useNames } from '../editor/use-names'
import { ChangeDetails } from './change-details'

const TONES: Readonly<Record<Deed, Tone>> = {
  added: 'good',
  removed: 'bad',
  changed: 'warn',
  unchanged: 'plain',
}

/** The differences between two definitions, part by part. */
export function DifferenceList({ before, after }: { before: EditorDocument; after: EditorDocument }) {
  const found = useMemo(() => differences(before, after, before), [before, after])
  const documents = useMemo(() => [before, after], [before, after])
  const names = useNames(documents)
  if (found.length === 0) return <p className="text-muted">{t`No differences`}</p>
  return (
    <ul className="flex flex-col gap-2">
      {found.map(each => (
        <li key={each.id} className="rounded-md border border-line px-3 py-2">
          <p className="flex items-center gap-2">
            <Badge tone={TONES[deed(each, 'mine')]}>{deedName(deed(each, 'mine'))}</Badge>
            <span dir="auto" className="font-medium">
              {each.label}
            </span>
          </p>
          {deed(each, 'mine') === 'changed' && (
            <ChangeDetails details={changeDetails(each, 'mine', names, documents)} />
          )}
        </li>
      ))}
    </ul>
  )
}

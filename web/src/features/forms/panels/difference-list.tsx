import { t } from '@lingui/core/macro'
import { useMemo } from 'react'
import { Badge, type Tone } from '@/components/status'
import { type ChangeDetail, changeDetails } from '../document/change-details'
import { type Deed, deed, deedName, differences } from '../document/merge'
import type { EditorDocument } from '../document/types'
import { useNames } from '../editor/use-names'

const TONES: Readonly<Record<Deed, Tone>> = {
  added: 'good',
  removed: 'bad',
  changed: 'warn',
  unchanged: 'plain',
}

/** The differences between two definitions, part by part. */
export function DifferenceList({ before, after }: { before: EditorDocument; after: EditorDocument }) {
  const found = useMemo(() => differences(before, after, before), [before, after])
  const names = useNames(useMemo(() => [before, after], [before, after]))
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
          {deed(each, 'mine') === 'changed' && <Details details={changeDetails(each, 'mine', names)} />}
        </li>
      ))}
    </ul>
  )
}

function Details({ details }: { details: readonly ChangeDetail[] }) {
  if (details.length === 0) return null
  return (
    <dl className="mt-1 grid grid-cols-[auto_1fr] gap-x-3 gap-y-0.5 text-sm max-sm:grid-cols-1">
      {details.map(({ id, label, from, to }) => (
        <div key={id} className="contents">
          <dt className="text-muted">{label}</dt>
          <dd className="min-w-0 [overflow-wrap:anywhere]">
            <del dir="auto" className="text-bad">
              {from ?? '–'}
            </del>{' '}
            <ins dir="auto" className="text-good no-underline">
              {to ?? '–'}
            </ins>
          </dd>
        </div>
      ))}
    </dl>
  )
}

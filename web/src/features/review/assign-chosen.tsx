import { t } from '@lingui/core/macro'
import { Link2, Users, X } from 'lucide-react'
import type { Group } from '@/api/settings/groups'
import type { User } from '@/api/settings/people'
import { Avatar } from '@/components/avatar'
import { type Candidate, type ChosenReviewer, getCandidateName, listChosen } from './assign-choice'

type Props = {
  chosen: ChosenReviewer
  people: readonly User[]
  groups: readonly Group[]
  onRemove: (candidate: Pick<Candidate, 'kind' | 'id'>) => void
}

/** The chosen reviewers, each with a button that removes them. */
export function ChosenPeople({ chosen, people, groups, onRemove }: Props) {
  const all = listChosen(chosen).map(each => ({ ...each, name: getCandidateName(each, people, groups) }))
  if (all.length === 0) return null
  return (
    <ul aria-label={t`Reviewers`} className="flex max-h-32 flex-wrap gap-1.5 overflow-y-auto">
      {all.map(({ kind, id, name }) => (
        <li
          key={`${kind} ${id}`}
          className="flex min-w-0 max-w-full items-center gap-1.5 rounded-full border border-line py-0.5 ps-1 pe-0.5 text-sm"
        >
          {kind === 'users' ? (
            <Avatar name={name} className="size-5 text-[0.55rem]" />
          ) : (
            <span className="ms-1 text-muted" aria-hidden="true">
              {kind === 'groups' ? <Users className="icon-small" /> : <Link2 className="icon-small" />}
            </span>
          )}
          <span dir="auto" className="truncate">
            {name}
          </span>
          <button
            type="button"
            aria-label={t`Remove ${name}`}
            onClick={() => onRemove({ kind, id })}
            className="grid size-6 shrink-0 place-items-center rounded-full text-muted hover:bg-sunken hover:text-ink pointer-coarse:min-h-11 pointer-coarse:min-w-11"
          >
            <X className="icon-small" />
          </button>
        </li>
      ))}
    </ul>
  )
}

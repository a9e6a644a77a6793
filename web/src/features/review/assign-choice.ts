/** Who can be assigned, by the typed text. */

import { plural, t } from '@lingui/core/macro'
import type { Absence } from '@/api/assignment'
import type { ErrorDetail } from '@/api/client'
import type { Group } from '@/api/settings/groups'
import type { User } from '@/api/settings/people'
import { matchesSearch } from '@/lib/matches-search'

export type Candidate = {
  kind: 'users' | 'groups' | 'external'
  /** A person's email, or a group's ID, as the service takes it. */
  id: string
  name: string
  /** What distinguishes it from others with the same name. */
  also?: string
  absence?: Absence | null
}

export type ChosenReviewer = { users: string[]; groups: string[]; external: string[] }

/** More than anyone reads; typing more finds the others. */
const MAX_SHOWN = 50

const isEmail = (text: string): boolean => /^[^\s@,;]+@[^\s@,;]+$/.test(text)

/**
 * Members who can decide and groups that match all typed words, the member themselves first; and a new email address.
 * While members are loading, any address could be one of theirs.
 */
export function findCandidates(
  people: readonly User[] | undefined,
  groups: readonly Group[],
  typed: string,
  myEmail: string,
): Candidate[] {
  const members = (people ?? [])
    .filter(
      person =>
        !person.disabled &&
        person.role !== 'viewer' &&
        matchesSearch(`${person.name} ${person.email}`, typed),
    )
    .toSorted(
      (a, b) => Number(b.email === myEmail) - Number(a.email === myEmail) || a.name.localeCompare(b.name),
    )
    .map(
      (person): Candidate => ({
        kind: 'users',
        id: person.email,
        name: person.email === myEmail ? t`${{ name: person.name }} (you)` : person.name,
        also: person.email,
        absence: withDelegateName(person.absence, people ?? []),
      }),
    )
  const found = groups
    .filter(group => matchesSearch(group.name, typed))
    .map(
      (group): Candidate => ({
        kind: 'groups',
        id: group.groupId,
        name: group.name,
        also: t`${plural(group.members.length, { one: '# member', other: '# members' })}`,
      }),
    )
  const address = typed.trim().toLowerCase()
  const isOutside = isEmail(address) && people?.every(person => person.email !== address)
  const outside: Candidate[] = isOutside ? [{ kind: 'external', id: address, name: address }] : []
  return [...outside, ...members, ...found].slice(0, MAX_SHOWN)
}

/** Tooltips say who the delegate is: a name says more than an email. */
const withDelegateName = (absence: Absence | null, people: readonly User[]): Absence | null =>
  absence && {
    ...absence,
    delegate: people.find(({ email }) => email === absence.delegate)?.name || absence.delegate,
  }

/** The name of a chosen reviewer; external reviewers have only their email. */
export function getCandidateName(
  { kind, id }: Pick<Candidate, 'kind' | 'id'>,
  people: readonly User[],
  groups: readonly Group[],
): string {
  if (kind === 'users') return people.find(({ email }) => email === id)?.name || id
  if (kind === 'groups') return groups.find(({ groupId }) => groupId === id)?.name ?? t`Unknown group`
  return id
}

/** The service's errors for an assignment, each with the name of the reviewer it's about. */
export const getAssignmentError = (
  errors: readonly ErrorDetail[],
  sent: ChosenReviewer,
  people: readonly User[],
  groups: readonly Group[],
): string[] =>
  errors.map(({ path, message }) => {
    const [, kind, place] = /^(users|groups|external)\[(\d+)\]/.exec(path) ?? []
    const id = kind && sent[kind as Candidate['kind']][Number(place)]
    if (!id) return message
    return t`${{ name: getCandidateName({ kind: kind as Candidate['kind'], id }, people, groups) }}: ${message}`
  })

export const listChosen = (chosen: ChosenReviewer): Pick<Candidate, 'kind' | 'id'>[] =>
  (['users', 'groups', 'external'] as const).flatMap(kind => chosen[kind].map(id => ({ kind, id })))

export function toggleCandidate(
  chosen: ChosenReviewer,
  { kind, id }: Pick<Candidate, 'kind' | 'id'>,
): ChosenReviewer {
  const without = chosen[kind].filter(each => each !== id)
  return { ...chosen, [kind]: without.length < chosen[kind].length ? without : [...without, id] }
}

export const isSameCandidate = (a: ChosenReviewer, b: ChosenReviewer): boolean =>
  (['users', 'groups', 'external'] as const).every(
    kind => a[kind].length === b[kind].length && a[kind].every(id => b[kind].includes(id)),
  )

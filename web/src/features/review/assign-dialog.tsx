import { t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import { CircleAlert, Link2, TriangleAlert, Users } from 'lucide-react'
import { type KeyboardEvent, useState } from 'react'
import { type ExternalLink, useAssign } from '@/api/assignment'
import { ApiError } from '@/api/client'
import type { Review } from '@/api/review'
import { useMe } from '@/api/session'
import { type Group, groupsQuery } from '@/api/settings/groups'
import { peopleQuery, type User } from '@/api/settings/people'
import { Avatar } from '@/components/avatar'
import { Button } from '@/components/button'
import { SearchableList } from '@/components/combobox'
import { Dialog } from '@/components/dialog'
import { Input, LabeledField } from '@/components/input'
import { OutOfOfficeBadge } from '@/components/out-of-office-badge'
import { Notice } from '@/components/status'
import {
  type Candidate,
  type ChosenReviewer,
  findCandidates,
  getAssignmentError,
  isSameCandidate,
  listChosen,
  toggleCandidate,
} from './assign-choice'
import { ChosenPeople } from './assign-chosen'
import { NewLinks } from './assign-links'
import { getAssignees } from './assigned'

/**
 * Chooses the reviewers: members, groups, external reviewers. The links of new external reviewers are shown only once.
 */
export default function AssignDialog({ review, onClose }: { review: Review; onClose: () => void }) {
  const [links, setLinks] = useState<readonly ExternalLink[] | null>(null)
  if (links) return <NewLinks links={links} onClose={onClose} />
  return (
    <Choice
      review={review}
      onClose={onClose}
      onSaved={made => (made && made.length > 0 ? setLinks(made) : onClose())}
    />
  )
}

function Choice({
  review,
  onClose,
  onSaved,
}: {
  review: Review
  onClose: () => void
  onSaved: (links: readonly ExternalLink[] | undefined) => void
}) {
  const me = useMe()
  const { data: people, isPending } = useQuery(peopleQuery)
  const groups = useQuery(groupsQuery).data ?? []
  const assigned = getAssignees(review)
  const [chosen, setChosen] = useState<ChosenReviewer>(assigned)
  const [note, setNote] = useState('')
  const [typed, setTyped] = useState('')
  const assign = useAssign(review.reviewId)
  const [from, setFrom] = useState<ChosenReviewer>(assigned)
  const [isOvertaken, setOvertaken] = useState(false)
  // Someone else changed the reviewers: saving the earlier choice would silently undo their change.
  if (assign.isIdle || assign.isError) {
    if (!isSameCandidate(from, assigned)) {
      setFrom(assigned)
      setChosen(assigned)
      setOvertaken(true)
    }
  }
  const isChanged = !isSameCandidate(chosen, assigned) || note.trim() !== '' || review.takenBy !== undefined
  const save = () => {
    if (!isChanged || assign.isPending) return
    assign.mutate(
      { ...chosen, ...(note.trim() && { note: note.trim() }) },
      { onSuccess: ({ extReviewerLinks }) => onSaved(extReviewerLinks) },
    )
  }
  const choose = (candidate: Candidate) => {
    setChosen(toggleCandidate(chosen, candidate))
    setTyped('')
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || !(event.metaKey || event.ctrlKey)) return
    event.preventDefault()
    event.stopPropagation()
    save()
  }
  return (
    <Dialog
      open
      onClose={onClose}
      title={t`Reviewers`}
      description={<AccessNotice review={review} chosen={chosen} />}
      actions={
        <>
          <Button onClick={onClose}>{t`Cancel`}</Button>
          <Button
            kind="primary"
            keys="mod+Enter"
            disabled={!isChanged}
            busy={assign.isPending}
            onClick={save}
          >
            {t`Assign`}
          </Button>
        </>
      }
    >
      <div onKeyDownCapture={onKeyDown} className="flex flex-col gap-3">
        <AssignError error={assign.error} sent={assign.variables} people={people ?? []} groups={groups} />
        {isOvertaken && (
          <div role="status">
            <Notice tone="warn">{t`Someone else changed the reviewers. Check and try again.`}</Notice>
          </div>
        )}
        <ChosenPeople
          chosen={chosen}
          people={people ?? []}
          groups={groups}
          onRemove={each => setChosen(toggleCandidate(chosen, each))}
        />
        <SearchableList
          size="dialog"
          label={t`Reviewers`}
          placeholder={t`Name, group, or email`}
          maxLength={320}
          search={typed}
          onSearch={setTyped}
          groups={[{ items: findCandidates(people, groups, typed, me.user.email) }]}
          getId={getKey}
          renderItem={candidate => <CandidateItem {...candidate} />}
          onChoose={choose}
          chosen={listChosen(chosen).map(getKey)}
          multiple
          isLoading={isPending}
          empty={t`No match. Enter an email to invite an external reviewer.`}
        />
        <LabeledField label={t`Note (optional)`} help={t`Shown in the review's history.`}>
          {attributes => (
            <Input
              {...attributes}
              maxLength={10_000}
              value={note}
              onChange={event => setNote(event.target.value)}
            />
          )}
        </LabeledField>
      </div>
    </Dialog>
  )
}

function AssignError({
  error,
  sent,
  people,
  groups,
}: {
  error: Error | null
  sent: ChosenReviewer | undefined
  people: readonly User[]
  groups: readonly Group[]
}) {
  if (!error || !sent) return null
  const lines = getAssignmentError(error instanceof ApiError ? error.errors : [], sent, people, groups)
  return (
    <div role="alert">
      <Notice tone="bad" icon={<CircleAlert />}>
        {(lines.length > 0 ? lines : [error.message]).map(line => (
          <p key={line} dir="auto">
            {line}
          </p>
        ))}
      </Notice>
    </div>
  )
}

const getKey = ({ kind, id }: Pick<Candidate, 'kind' | 'id'>) => `${kind} ${id}`

/** Who can decide after this, with a warning for someone who assigns the review away from themselves. */
function AccessNotice({ review, chosen }: { review: Review; chosen: ChosenReviewer }) {
  const me = useMe()
  const isAdmin = me.role === 'owner' || me.role === 'admin'
  const isNobody = chosen.users.length + chosen.groups.length + chosen.external.length === 0
  // Directly or as a delegate.
  const isAssigned =
    [me.user, ...me.standingInFor].some(({ email }) => chosen.users.includes(email)) ||
    [...me.groups.map(group => group.groupId), ...me.standingInFor.flatMap(absent => absent.groupIds)].some(
      id => chosen.groups.includes(id),
    )
  const losesAccess = !isNobody && !isAssigned && !isAdmin
  return (
    <>
      {isNobody
        ? t`If you don't assign anyone, any reviewer can decide.`
        : review.takenBy && !losesAccess
          ? t`Only they and admins can decide. This ends ${{ name: review.takenBy.name }}'s claim.`
          : t`Only they and admins can decide.`}
      <span role="status" className="block">
        {losesAccess && (
          <span className="mt-1 flex items-center gap-1.5 font-medium text-warn">
            <TriangleAlert className="icon-small shrink-0" />
            {t`You'll lose access.`}
          </span>
        )}
      </span>
    </>
  )
}

function CandidateItem({ kind, name, also, absence }: Candidate) {
  return (
    <>
      {kind === 'users' ? (
        <Avatar name={name} />
      ) : (
        <span className="grid size-6 shrink-0 place-items-center text-muted" aria-hidden="true">
          {kind === 'groups' ? <Users /> : <Link2 />}
        </span>
      )}
      <span className="min-w-0 flex-1">
        <span dir="auto" className="block truncate">
          {kind === 'external' ? t`Invite ${{ email: name }}` : name}
        </span>
        <span className="block truncate text-muted text-xs">
          {kind === 'external' ? t`External reviewer. Gets a link, no account needed.` : also}
        </span>
        <OutOfOfficeBadge absence={absence} />
      </span>
    </>
  )
}

import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { Hand, UserRoundPlus, Users } from 'lucide-react'
import { api, data } from '@/api/client'
import type { Review } from '@/api/review'
import { useMe } from '@/api/session'
import { peopleQuery } from '@/api/settings/people'
import { Avatar } from '@/components/avatar'
import { RelativeTime } from '@/components/relative-time'
import { Badge } from '@/components/status'
import { Tooltip } from '@/components/tooltip'
import { classes } from '@/lib/classes'
import { formatList, formatNumber } from '@/lib/i18n'

/** The names of the groups that a review is assigned to. Fetched only if there are any. */
function useGroupNames(ids: readonly string[]): string[] {
  const groups = useQuery({
    queryKey: ['groups', 'names'],
    queryFn: async ({ signal }) =>
      (await data(api.GET('/groups', { params: { query: { limit: 200 } }, signal }))).items,
    enabled: ids.length > 0,
    staleTime: 5 * 60_000,
  })
  return ids.map(id => groups.data?.find(group => group.groupId === id)?.name ?? t`Unknown group`)
}

/** The names of members, or their emails until the names are loaded. Fetched only if there are any. */
function useMemberNames(emails: readonly string[]): string[] {
  const people = useQuery({ ...peopleQuery, enabled: emails.length > 0, staleTime: 5 * 60_000 }).data
  return emails.map(email => people?.find(person => person.email === email)?.name || email)
}

const NOBODY = { users: [], groups: [], external: [] }

/** External reviewers don't get the assignees of a review. */
export function getAssignees(review: Review): NonNullable<Review['assignedTo']> {
  return review.assignedTo ?? NOBODY
}

/** All assignees: members first, then groups, then external reviewers. */
export function useAssigneeNames(review: Review): string[] {
  const { users, groups, external } = getAssignees(review)
  const members = useMemberNames(users)
  const names = useGroupNames(groups)
  return [...members, ...names, ...external.map(email => t`${email} (external)`)]
}

const MAX_SHOWN = 3

/** The reviewers in a compact form; a button if the member can change them. */
export function AssignedPeople({ review, onAssign }: { review: Review; onAssign?: () => void }) {
  const everybody = useAssigneeNames(review)
  const { users, groups, external } = getAssignees(review)
  const members = everybody.slice(0, users.length)
  const people = [...users, ...external].map((email, place) => ({ email, name: members[place] ?? email }))
  if (everybody.length === 0 && !onAssign) return null
  const names = formatList(everybody)
  const words = everybody.length > 0 ? t`Reviewers: ${names}` : t`Unassigned`
  const invitation =
    everybody.length > 0 ? t`Reviewers: ${names}. Change reviewers` : t`Unassigned. Assign reviewers`
  return (
    <Tooltip label={words} {...(onAssign && { keys: 'w' })}>
      <button
        type="button"
        onClick={onAssign}
        className={classes(
          'inline-flex items-center gap-1 rounded text-muted pointer-coarse:-my-3 pointer-coarse:min-h-11',
          onAssign ? 'hover:text-ink' : 'cursor-default',
        )}
      >
        <span className="-space-x-1 flex">
          {people.slice(0, MAX_SHOWN).map(({ email, name }) => (
            <Avatar key={email} name={name} className="size-4.5 text-[0.5rem] ring-1 ring-canvas" />
          ))}
        </span>
        {groups.length > 0 && <Users className="icon-small" />}
        <span className="sr-only">{onAssign ? invitation : words}</span>
        <span aria-hidden="true" className="inline-flex items-center gap-1">
          {everybody.length === 0 && (
            <>
              <UserRoundPlus className="icon-small" /> {t`Assign`}
            </>
          )}
          {everybody.length > 0 && people.length === 0 && (
            <span dir="auto" className="max-w-40 truncate">
              {names}
            </span>
          )}
          {people.length > MAX_SHOWN && <span>+{formatNumber(people.length - MAX_SHOWN)}</span>}
        </span>
      </button>
    </Tooltip>
  )
}

/** Who claimed the review, and whose delegate the member is for it. */
export function TakenAndFor({ review }: { review: Review }) {
  const me = useMe()
  const { takenBy, standingInFor, state } = review
  const isMine = takenBy?.userId === me.user.userId
  const claim = isMine ? t`Claimed by you` : t`Claimed by ${{ name: takenBy?.name ?? '' }}`
  const names =
    standingInFor &&
    formatList(
      standingInFor.map(email => me.standingInFor.find(person => person.email === email)?.name ?? email),
    )
  return (
    <>
      {takenBy && state === 'pending' && (
        <Badge tone={isMine ? 'accent' : 'plain'}>
          <Hand className="icon-tiny" />
          <span dir="auto" className="max-w-40 truncate" title={claim}>
            {claim}
          </span>
        </Badge>
      )}
      {names && state === 'pending' && (
        <Badge tone="warn">
          <span dir="auto" className="max-w-48 truncate" title={t`You're the delegate for ${names}`}>
            {t`Delegate for ${names}`}
          </span>
        </Badge>
      )}
    </>
  )
}

/** Tells a member who can't decide the review who can. */
export function WhoMayDecide({ review, mayDecideOthers }: { review: Review; mayDecideOthers: boolean }) {
  const everybody = useAssigneeNames(review)
  if (!mayDecideOthers)
    return <>{t`You can't decide this review: your role is view-only. Ask an admin to change it.`}</>
  if (review.takenBy) {
    const name = <bdi className="font-semibold">{review.takenBy.name}</bdi>
    return (
      <Trans>
        {name} claimed this review <RelativeTime at={review.takenBy.at} />. Ask them to release it, or ask an
        admin to reassign it.
      </Trans>
    )
  }
  const names = <bdi className="font-semibold">{formatList(everybody)}</bdi>
  return <Trans>You can't decide this review: it's assigned to {names}. Ask an admin to reassign it.</Trans>
}

import { useQuery } from '@tanstack/react-query'
import { Hand, UserRoundPlus, Users } from 'lucide-react'
import { api, data } from '@/api/client'
import type { Review } from '@/api/review'
import { useMe } from '@/api/session'
import { peopleQuery } from '@/api/settings/people'
import { Avatar } from '@/components/avatar'
import { Badge } from '@/components/status'
import { Time } from '@/components/time'
import { Tooltip } from '@/components/tooltip'
import { classes } from '@/lib/classes'

/** Names of the groups that a review is assigned to; nothing is asked for reviews without. */
function useGroupNames(ids: readonly string[]): string[] {
  const groups = useQuery({
    queryKey: ['groups', 'names'],
    queryFn: async ({ signal }) =>
      (await data(api.GET('/groups', { params: { query: { limit: 200 } }, signal }))).items,
    enabled: ids.length > 0,
    staleTime: 5 * 60_000,
  })
  return ids.map(id => groups.data?.find(group => group.groupId === id)?.name ?? 'a group')
}

/** Names of members, or their addresses until those are known; nothing is asked for reviews without. */
function useMemberNames(emails: readonly string[]): string[] {
  const people = useQuery({ ...peopleQuery, enabled: emails.length > 0, staleTime: 5 * 60_000 }).data
  return emails.map(email => people?.find(person => person.email === email)?.name || email)
}

/** Everybody who is asked by name: members first, then groups, then people outside. */
export function useAssigned(review: Review): string[] {
  const { users, groups, external } = review.assignedTo
  const members = useMemberNames(users)
  const names = useGroupNames(groups)
  return [...members, ...names, ...external.map(email => `${email} (external)`)]
}

const MOST_SHOWN = 3

/** Who is asked, as few letters as possible; a button that opens more where the person may change it. */
export function AssignedPeople({ review, onAssign }: { review: Review; onAssign?: () => void }) {
  const everybody = useAssigned(review)
  const { users, groups, external } = review.assignedTo
  const members = everybody.slice(0, users.length)
  const people = [...users, ...external].map((email, place) => ({ email, name: members[place] ?? email }))
  const words = everybody.length > 0 ? `Asked: ${everybody.join(', ')}` : 'Nobody is asked by name'
  if (everybody.length === 0 && !onAssign) return null
  return (
    <Tooltip label={words} {...(onAssign && { keys: 'w' })}>
      <button
        type="button"
        onClick={onAssign}
        className={classes(
          'inline-flex items-center gap-1 rounded text-muted max-md:-my-3 max-md:min-h-11',
          onAssign ? 'hover:text-ink' : 'cursor-default',
        )}
      >
        <span className="-space-x-1 flex">
          {people.slice(0, MOST_SHOWN).map(({ email, name }) => (
            <Avatar key={email} name={name} className="size-4.5! text-[0.5rem]! ring-1 ring-canvas" />
          ))}
        </span>
        {groups.length > 0 && <Users size={14} aria-hidden="true" />}
        <span className="sr-only">
          {words}
          {onAssign && '. Change who is asked'}
        </span>
        <span aria-hidden="true" className="inline-flex items-center gap-1">
          {everybody.length === 0 && (
            <>
              <UserRoundPlus size={14} /> Assign
            </>
          )}
          {everybody.length > 0 && people.length === 0 && (
            <span className="max-w-40 truncate">{everybody.join(', ')}</span>
          )}
          {people.length > MOST_SHOWN && <span>+{people.length - MOST_SHOWN}</span>}
        </span>
      </button>
    </Tooltip>
  )
}

/** Who took the review, and for whom the person who looks at it stands in. */
export function TakenAndFor({ review }: { review: Review }) {
  const me = useMe()
  const { takenBy, standingInFor, state } = review
  const names = standingInFor?.map(
    email => me.standingInFor.find(person => person.email === email)?.name ?? email,
  )
  return (
    <>
      {takenBy && state === 'pending' && (
        <Badge tone={takenBy.userId === me.user.userId ? 'accent' : 'plain'}>
          <Hand size={12} aria-hidden="true" />
          <span className="max-w-40 truncate" title={takenBy.email}>
            {takenBy.userId === me.user.userId ? 'You took it' : `${takenBy.name} took it`}
          </span>
        </Badge>
      )}
      {names && state === 'pending' && (
        <Badge tone="warn">
          <span className="max-w-48 truncate" title={`You stand in for ${standingInFor?.join(', ')}`}>
            for {names.join(', ')}
          </span>
        </Badge>
      )}
    </>
  )
}

/** Who may decide it, in a sentence for somebody who may not. */
export function WhoMayDecide({ review, mayDecideOthers }: { review: Review; mayDecideOthers: boolean }) {
  const everybody = useAssigned(review)
  if (!mayDecideOthers) return <>Your role lets you read reviews, but not decide them.</>
  if (review.takenBy)
    return (
      <>
        <strong className="font-semibold">{review.takenBy.name}</strong> took this review{' '}
        <Time at={review.takenBy.at} />. They can hand it back, and administrators can give it to others.
      </>
    )
  return (
    <>
      This review is for others to decide: <strong className="font-semibold">{everybody.join(', ')}</strong>,
      and administrators.
    </>
  )
}

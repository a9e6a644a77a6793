import { useQuery } from '@tanstack/react-query'
import { Users } from 'lucide-react'
import { api, data } from '@/api/client'
import type { Review } from '@/api/review'
import { Avatar } from '@/components/avatar'
import { Tooltip } from '@/components/tooltip'

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

/** Everybody who is asked by name: members, groups, people outside. */
export function useAssigned(review: Review): string[] {
  const { users, groups, external } = review.assignedTo
  const names = useGroupNames(groups)
  return [...users, ...names, ...external.map(email => `${email} (external)`)]
}

const MOST_SHOWN = 3

export function AssignedPeople({ review }: { review: Review }) {
  const everybody = useAssigned(review)
  if (everybody.length === 0) return null
  const { users, groups, external } = review.assignedTo
  const people = [...users, ...external]
  return (
    <Tooltip label={`Assigned to ${everybody.join(', ')}`}>
      <button type="button" className="inline-flex cursor-default items-center gap-1 rounded text-muted">
        <span className="-space-x-1 flex">
          {people.slice(0, MOST_SHOWN).map(email => (
            <Avatar key={email} name={email} className="size-4.5! text-[0.5rem]! ring-1 ring-canvas" />
          ))}
        </span>
        {groups.length > 0 && <Users size={14} aria-hidden="true" />}
        <span className="sr-only">Assigned to {everybody.join(', ')}</span>
        {people.length === 0 && <span className="max-w-40 truncate">{everybody.join(', ')}</span>}
        {people.length > MOST_SHOWN && <span>+{people.length - MOST_SHOWN}</span>}
      </button>
    </Tooltip>
  )
}

/** Who may decide it, in a sentence for somebody who may not. */
export function WhoMayDecide({ review, mayDecideOthers }: { review: Review; mayDecideOthers: boolean }) {
  const everybody = useAssigned(review)
  if (!mayDecideOthers) return <>Your role lets you read reviews, but not decide them.</>
  return (
    <>
      This review is for others to decide: <strong className="font-semibold">{everybody.join(', ')}</strong>,
      and administrators.
    </>
  )
}

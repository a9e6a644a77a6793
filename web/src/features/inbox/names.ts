import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { savedViewsQuery } from '@/api/inbox'
import { allAgentsQuery, allFormsQuery } from '@/api/settings/agents'
import { groupsQuery } from '@/api/settings/groups'
import { peopleQuery } from '@/api/settings/people'

/** Agents' names by their ID. */
export function useAgentNames(): ReadonlyMap<string, string> {
  const agents = useQuery(allAgentsQuery).data
  return useMemo(() => new Map(agents?.map(agent => [agent.agentId, agent.name])), [agents])
}

/** Members' names by their ID. Read only if a list names anybody. */
export function usePersonName(anybody: boolean): (userId: string | undefined) => string | undefined {
  const people = useQuery({ ...peopleQuery, enabled: anybody }).data
  return useMemo(() => {
    const names = new Map(people?.map(person => [person.userId, person.name]))
    return userId => (userId === undefined ? undefined : names.get(userId))
  }, [people])
}

/** Review types' names by their ID. */
export function useFormNames(): ReadonlyMap<string, string> {
  const forms = useQuery(allFormsQuery).data
  return useMemo(() => new Map(forms?.map(form => [form.formId, form.name])), [forms])
}

export function useSavedViewName(viewId: string | undefined): string | undefined {
  const views = useQuery(savedViewsQuery).data
  return viewId && views?.find(view => view.viewId === viewId)?.name
}

const WORDS = ['me', 'myGroups', 'nobody']

/** The name of the member or group that a filter for assignees has the ID of. Read only when it has one. */
export function useAssigneeName(assigned: string | undefined): string | undefined {
  const isId = assigned !== undefined && !WORDS.includes(assigned)
  const people = useQuery({ ...peopleQuery, enabled: isId }).data
  const groups = useQuery({ ...groupsQuery, enabled: isId }).data
  if (!isId) return undefined
  return (
    people?.find(person => person.userId === assigned)?.name ??
    groups?.find(group => group.groupId === assigned)?.name
  )
}

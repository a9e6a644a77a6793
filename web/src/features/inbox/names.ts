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

/** The name of somebody by their ID, for those whom a list names. People are read only when there is one. */
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

const WORDS: Record<string, string> = { me: 'me', myGroups: 'my groups', nobody: 'nobody' }

/** Whom a filter for assignees means. People are read only when somebody in particular is meant. */
export function useAssigneeName(assigned: string | undefined): string | undefined {
  const isParticular = assigned !== undefined && WORDS[assigned] === undefined
  const people = useQuery({ ...peopleQuery, enabled: isParticular }).data
  const groups = useQuery({ ...groupsQuery, enabled: isParticular }).data
  if (assigned === undefined || !isParticular) return assigned && WORDS[assigned]
  return (
    people?.find(person => person.userId === assigned)?.name ??
    groups?.find(group => group.groupId === assigned)?.name ??
    assigned
  )
}

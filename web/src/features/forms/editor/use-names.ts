import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { allAgentsQuery } from '@/api/settings/agents'
import { groupsQuery } from '@/api/settings/groups'
import { peopleQuery } from '@/api/settings/people'
import type { Names } from '../document/change-details'
import type { EditorDocument } from '../document/types'

/** The names of the agents, groups, members and fields that a review type refers to by ID. */
export function useNames(documents: readonly EditorDocument[]): Names {
  const agents = useQuery(allAgentsQuery).data
  const groups = useQuery(groupsQuery).data
  const people = useQuery(peopleQuery).data
  return useMemo(() => {
    const known = new Map<string, string>()
    const add = (id: string, name: string | null | undefined) => name && known.set(id, name)
    for (const field of documents.flatMap(each => each.fields)) add(field.id, field.label)
    for (const agent of agents ?? []) add(agent.agentId, agent.name)
    for (const group of groups ?? []) add(group.groupId, group.name)
    for (const person of people ?? []) add(person.email, person.name)
    return id => known.get(id) ?? id
  }, [documents, agents, groups, people])
}

import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { activeFormsQuery } from '@/api/forms/lists'
import { localizeName, useFormName } from '@/api/forms/names'
import { savedViewsQuery } from '@/api/inbox'
import { runQuery } from '@/api/runs'
import { useSession } from '@/api/sessions'
import { allAgentsQuery } from '@/api/settings/agents'
import { groupsQuery } from '@/api/settings/groups'
import { peopleQuery } from '@/api/settings/people'

/** Agents' names by ID. */
export function useAgentNames(): ReadonlyMap<string, string> {
  const agents = useQuery(allAgentsQuery).data
  return useMemo(() => new Map(agents?.map(agent => [agent.agentId, agent.name])), [agents])
}

/** Members' names by ID. Fetched only if a list names any. */
export function usePersonName(anybody: boolean): (userId: string | undefined) => string | undefined {
  const people = useQuery({ ...peopleQuery, enabled: anybody }).data
  return useMemo(() => {
    const names = new Map(people?.map(person => [person.userId, person.name]))
    return userId => (userId === undefined ? undefined : names.get(userId))
  }, [people])
}

/** Review types' names by ID, in the language of the page. */
export function useFormNames(): ReadonlyMap<string, string> {
  const forms = useQuery(activeFormsQuery).data
  return useMemo(() => new Map(forms?.map(form => [form.formId, localizeName(form)])), [forms])
}

export function useSavedViewName(viewId: string | undefined): string | undefined {
  const views = useQuery(savedViewsQuery).data
  return viewId && views?.find(view => view.viewId === viewId)?.name
}

/** The name of a run, as on its page. Undefined while it's loading, and if it can't be read. */
export function useRunName(runId: string | undefined): string | undefined {
  const run = useQuery({ ...runQuery(runId ?? ''), enabled: runId !== undefined }).data
  const nameOf = useFormName()
  const first = run?.steps[0]
  return run?.name || first?.title || (first && nameOf(first))
}

/** The title of a chat, as in the list of chats. Undefined while it's loading, and if it can't be read. */
export function useChatName(sessionId: string | undefined): string | undefined {
  const { session } = useSession(sessionId)
  return session?.name || session?.agentName
}

const ASSIGNEE_LABELS = ['me', 'myGroups', 'nobody']

/** The name of the member or group in the assignee filter. Fetched only if the filter has an ID. */
export function useAssigneeName(assigned: string | undefined): string | undefined {
  const isId = assigned !== undefined && !ASSIGNEE_LABELS.includes(assigned)
  const people = useQuery({ ...peopleQuery, enabled: isId }).data
  const groups = useQuery({ ...groupsQuery, enabled: isId }).data
  if (!isId) return undefined
  return (
    people?.find(person => person.userId === assigned)?.name ??
    groups?.find(group => group.groupId === assigned)?.name
  )
}

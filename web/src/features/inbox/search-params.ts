/**
 * Which reviews the list shows, as query parameters of the page, so that the view can be shared, bookmarked and gone
 * back to.
 */

import type { ReviewFilters } from '@/api/review-filters'

/** `any` has reviews in every state. */
export const VIEWS = ['mine', 'groups', 'unassigned', 'all', 'waiting', 'decided', 'any'] as const

export type ViewName = (typeof VIEWS)[number]

export type InboxSearch = {
  view?: ViewName
  /** A saved view's ID; its filters are in the other parameters too. */
  saved?: string
  agent?: string
  form?: string
  session?: string
  run?: string
  /** A user's or group's ID, or `me`, `myGroups`, `nobody`: for views that don't imply it. */
  assigned?: string
  response?: 'approved' | 'rejected'
  q?: string
  order?: 'oldest'
}

const text = (value: unknown): string | undefined => {
  if (typeof value === 'number') return String(value)
  return typeof value === 'string' && value ? value.slice(0, 500) : undefined
}

/** Reads a URL from any source: unknown or malformed parameters are dropped. */
export function readInboxSearch(raw: Record<string, unknown>): InboxSearch {
  const search: InboxSearch = {
    view: VIEWS.find(view => view === raw.view),
    saved: text(raw.saved),
    agent: text(raw.agent),
    form: text(raw.form),
    session: text(raw.session),
    run: text(raw.run),
    assigned: text(raw.assigned),
    response: raw.response === 'approved' || raw.response === 'rejected' ? raw.response : undefined,
    q: text(raw.q),
    order: raw.order === 'oldest' ? 'oldest' : undefined,
  }
  return withoutUndefined(search)
}

/** The query parameters of `GET /reviews`. */
export function getFilters(search: InboxSearch & { view: ViewName }): ReviewFilters {
  const { view, agent, form, session, run, response, q, order } = search
  const open = { state: 'pending', retryRequested: false } as const
  const byView: Record<ViewName, ReviewFilters> = {
    mine: { ...open, assignedTo: 'me' },
    groups: { ...open, assignedTo: 'myGroups' },
    unassigned: { ...open, assignedTo: 'nobody' },
    all: open,
    waiting: { state: 'pending', retryRequested: true },
    decided: { state: 'responded' },
    any: {},
  }
  const filters: ReviewFilters = {
    assignedTo: search.assigned,
    ...byView[view],
    agentId: agent,
    formId: form,
    sessionId: session,
    runId: run,
    response: view === 'decided' || view === 'any' ? response : undefined,
    q: q?.trim() || undefined,
    order,
  }
  return withoutUndefined(filters)
}

const VIEW_OF_ASSIGNEE: Record<string, ViewName> = { me: 'mine', myGroups: 'groups', nobody: 'unassigned' }

/** The search parameters that show a saved view, whichever client saved it. */
export function getSearch(filters: ReviewFilters): InboxSearch & { view: ViewName } {
  const isOpen = filters.state === 'pending' && filters.retryRequested !== true
  const assignee = (isOpen && filters.assignedTo && VIEW_OF_ASSIGNEE[filters.assignedTo]) || undefined
  const view = ((): ViewName => {
    if (assignee) return assignee
    if (filters.retryRequested === true) return 'waiting'
    if (filters.state === 'responded' || filters.response) return 'decided'
    return isOpen ? 'all' : 'any'
  })()
  return withoutUndefined({
    view,
    agent: filters.agentId,
    form: filters.formId,
    session: filters.sessionId,
    run: filters.runId,
    assigned: assignee ? undefined : filters.assignedTo,
    response: filters.response,
    q: filters.q,
    order: filters.order === 'oldest' ? ('oldest' as const) : undefined,
  })
}

/** The default view; undefined while it depends on counts that aren't loaded. */
export function getDefaultView(search: InboxSearch, mine: number | undefined): ViewName | undefined {
  if (search.view) return search.view
  if (search.session || search.run) return 'any'
  if (search.response) return 'decided'
  if (search.agent || search.form || search.assigned) return 'all'
  if (mine === undefined) return undefined
  return mine > 0 ? 'mine' : 'all'
}

function withoutUndefined<T extends object>(members: T): T {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as T
}

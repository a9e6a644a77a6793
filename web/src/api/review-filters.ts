import type { Schemas } from './client'

export type ReviewRow = Schemas['ReviewRow']

/** Which reviews a list has and in which order, as the query parameters of `GET /reviews`. */
export type ReviewFilters = {
  state?: 'pending' | 'responded'
  response?: 'approved' | 'rejected'
  agentId?: string
  formId?: string
  sessionId?: string
  runId?: string
  retryRequested?: boolean
  /** A user's or group's ID, or `me`, `myGroups`, `nobody`. */
  assignedTo?: string
  q?: string
  order?: 'newest' | 'oldest'
}

/** Who reads a list: the meaning of some filters depends on it. */
export type Viewer = {
  userId: string
  groupIds: readonly string[]
  /** The members who are out of office and whose delegate the reader is. */
  absentIds?: readonly string[]
}

/** Whether a row belongs in a list. Only the service can search texts. */
export type FilterMatch = 'yes' | 'no' | 'unknown'

export function matchFilters(filters: ReviewFilters, row: ReviewRow, viewer: Viewer): FilterMatch {
  const isWaiting = row.state === 'pending' && row.retryRequested
  const meant =
    (filters.state === undefined || row.state === filters.state) &&
    (filters.response === undefined || row.response === filters.response) &&
    (filters.retryRequested === undefined || isWaiting === filters.retryRequested) &&
    (filters.agentId === undefined || row.agentId === filters.agentId) &&
    (filters.formId === undefined || row.formId === filters.formId) &&
    (filters.sessionId === undefined || row.sessionId === filters.sessionId) &&
    (filters.runId === undefined || row.workflowRunId === filters.runId) &&
    isAssigned(filters.assignedTo, row, viewer)
  if (!meant) return 'no'
  return filters.q?.trim() ? 'unknown' : 'yes'
}

function isAssigned(to: string | undefined, row: ReviewRow, viewer: Viewer): boolean {
  if (to === undefined) return true
  if (to === 'nobody') return row.assigneeIds.length === 0 && !row.external
  if (to === 'me')
    return row.assigneeIds.some(id => id === viewer.userId || viewer.absentIds?.includes(id) === true)
  if (to === 'myGroups') return row.assigneeIds.some(id => viewer.groupIds.includes(id))
  return row.assigneeIds.includes(to)
}

/** A row as it will be once the decision has arrived. Null: a trigger form, which is neither approved nor rejected. */
export const toDecidedRow = (row: ReviewRow, response: 'approved' | 'rejected' | null): ReviewRow => ({
  ...row,
  state: 'responded',
  retryRequested: false,
  ...(response && { response }),
})

import { describe, expect, it } from 'vitest'
import { type FilterMatch, matchFilters, type ReviewFilters, type ReviewRow } from './review-filters'

const viewer = { userId: 'usr_me', groupIds: ['grp_1', 'grp_2'] }

const open: ReviewRow = {
  reviewId: 'rev_1',
  agentId: 'agt_1',
  sessionId: 'ses_1',
  formId: 'frm_1',
  formName: 'Draft',
  revision: 1,
  state: 'pending',
  retryRequested: false,
  autoApproved: false,
  createdAt: '2026-11-15T10:00:00.000Z',
  updatedAt: '2026-11-15T10:00:00.000Z',
  assigneeIds: [],
  external: false,
}
const waiting: ReviewRow = { ...open, retryRequested: true }
const approved: ReviewRow = { ...open, state: 'responded', response: 'approved' }
const mine: ReviewRow = { ...open, assigneeIds: ['usr_me'] }
const groups: ReviewRow = { ...open, assigneeIds: ['usr_other', 'grp_2'] }
const external: ReviewRow = { ...open, external: true }

describe('matchFilters', () => {
  it.each<[string, ReviewFilters, ReviewRow, FilterMatch]>([
    ['no filters, open', {}, open, 'yes'],
    ['no filters, decided', {}, approved, 'yes'],
    ['pending, open', { state: 'pending' }, open, 'yes'],
    ['pending, decided', { state: 'pending' }, approved, 'no'],
    ['responded, decided', { state: 'responded' }, approved, 'yes'],
    ['approved, approved', { response: 'approved' }, approved, 'yes'],
    ['rejected, approved', { response: 'rejected' }, approved, 'no'],
    ['rejected, open', { response: 'rejected' }, open, 'no'],
    ['not waiting, open', { retryRequested: false }, open, 'yes'],
    ['not waiting, waiting', { retryRequested: false }, waiting, 'no'],
    ['waiting, waiting', { retryRequested: true }, waiting, 'yes'],
    ['waiting, decided since', { retryRequested: true }, { ...approved, retryRequested: true }, 'no'],
    ['its agent', { agentId: 'agt_1' }, open, 'yes'],
    ['another agent', { agentId: 'agt_2' }, open, 'no'],
    ['its review type', { formId: 'frm_1' }, open, 'yes'],
    ['another review type', { formId: 'frm_2' }, open, 'no'],
    ['its session', { sessionId: 'ses_1' }, open, 'yes'],
    ['another session', { sessionId: 'ses_2' }, open, 'no'],
    ['its run', { runId: 'run_1' }, { ...open, workflowRunId: 'run_1' }, 'yes'],
    ['a run, without one', { runId: 'run_1' }, open, 'no'],
    ['me, mine', { assignedTo: 'me' }, mine, 'yes'],
    ['me, my group’s', { assignedTo: 'me' }, groups, 'no'],
    ['my groups, my group’s', { assignedTo: 'myGroups' }, groups, 'yes'],
    ['my groups, mine', { assignedTo: 'myGroups' }, mine, 'no'],
    ['nobody, nobody’s', { assignedTo: 'nobody' }, open, 'yes'],
    ['nobody, mine', { assignedTo: 'nobody' }, mine, 'no'],
    ['nobody, an external reviewer’s', { assignedTo: 'nobody' }, external, 'no'],
    ['somebody, theirs', { assignedTo: 'usr_other' }, groups, 'yes'],
    ['somebody, mine', { assignedTo: 'usr_other' }, mine, 'no'],
    ['words', { q: 'autumn' }, open, 'unknown'],
    ['words, but another agent', { q: 'autumn', agentId: 'agt_2' }, open, 'no'],
    ['blank words', { q: '  ' }, open, 'yes'],
    ['an order is no filter', { order: 'oldest' }, open, 'yes'],
    ['all at once', { state: 'pending', agentId: 'agt_1', formId: 'frm_1', assignedTo: 'me' }, mine, 'yes'],
  ])('%s', (_name, filters, row, belongs) => {
    expect(matchFilters(filters, row, viewer)).toBe(belongs)
  })
})

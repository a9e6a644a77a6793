/** One colour and one word for each thing that is counted, in every chart alike. */
export const SERIES = {
  requested: { label: 'Requested', colour: 'var(--requested)' },
  approved: { label: 'Approved', colour: 'var(--approved)' },
  asSuggested: { label: 'Approved as suggested', colour: 'var(--approved)' },
  edited: { label: 'Approved after edits', colour: 'var(--edited)' },
  rejected: { label: 'Rejected', colour: 'var(--rejected)' },
  automatic: { label: 'Approved automatically', colour: 'var(--automatic)' },
  median: { label: 'Half took at most (median)', colour: 'var(--approved)' },
  p90: { label: 'Nine of ten took at most', colour: 'var(--approved)' },
  approvalRate: { label: 'Approval rate', colour: 'var(--approved)' },
  editRate: { label: 'Edit rate, of approvals', colour: 'var(--edited)' },
  succeeded: { label: 'Succeeded', colour: 'var(--approved)' },
  failed: { label: 'Not succeeded', colour: 'var(--rejected)' },
} as const

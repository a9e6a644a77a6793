/** What can be in the audit log, by what it is about; `docs/people.md` has the same list. */
export const ACTIONS: Record<string, readonly string[]> = {
  Reviews: [
    'review.requested',
    'review.updated',
    'review.approved',
    'review.rejected',
    'review.submitted',
    'review.retry_requested',
    'review.deleted',
  ],
  Deliveries: ['delivery.retried', 'delivery.cancelled'],
  People: [
    'user.created',
    'user.invited',
    'user.joined',
    'user.linked',
    'user.changed',
    'user.profile_changed',
    'user.signed_in',
    'user.signed_out',
    'user.sign_in_link_made',
    'user.sessions_ended',
  ],
  Groups: ['group.created', 'group.changed', 'group.deleted'],
  Keys: ['key.created', 'key.changed', 'key.revoked'],
  Agents: ['agent.created', 'agent.changed', 'agent.deleted', 'agent.secret_rotated', 'agent.tested'],
  'Review types': ['form.created', 'form.changed', 'form.archived'],
  Workspace: ['account.created', 'account.changed', 'account.audit_secret_rotated'],
}

/** `review.retry_requested` → `review retry requested`. */
export const actionWords = (action: string): string => action.replace(/[._]/g, ' ')

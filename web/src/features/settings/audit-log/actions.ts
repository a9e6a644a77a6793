import type { MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import { i18n } from '@/lib/i18n'

type Group = { label: MessageDescriptor; actions: Readonly<Record<string, MessageDescriptor>> }

/** The audit log's actions, grouped as in the filter. `docs/people.md` lists the same codes. */
export const ACTION_GROUPS: readonly Group[] = [
  {
    label: msg`Reviews`,
    actions: {
      'review.requested': msg`Review requested`,
      'review.updated': msg`Review updated`,
      'review.approved': msg`Review approved`,
      'review.rejected': msg`Review rejected`,
      'review.submitted': msg`Trigger form submitted`,
      'review.retry_requested': msg`Changes requested`,
      'review.retry_withdrawn': msg`Change request withdrawn`,
      'review.retry_reminded': msg`Agent reminded of requested changes`,
      'review.reminded': msg`Reviewers reminded`,
      'review.handed_over': msg`Review escalated`,
      'review.extended': msg`Deadline extended`,
      'review.assigned': msg`Review assigned`,
      'review.taken': msg`Review claimed`,
      'review.handed_back': msg`Review released`,
      'review.link_renewed': msg`New review link requested`,
      'review.media_retried': msg`File copy retried`,
      'review.deleted': msg`Review deleted`,
    },
  },
  {
    label: msg`Chats`,
    actions: {
      'session.started': msg`Chat started`,
      'session.named': msg`Chat renamed`,
      'session.message': msg`Chat message sent`,
    },
  },
  {
    label: msg({ message: 'Email', context: 'messages' }),
    actions: { 'mail.resent': msg`Email resent`, 'mail.canceled': msg`Email canceled` },
  },
  {
    label: msg`Chat apps`,
    actions: {
      'chat_app.connected': msg`Chat app connected`,
      'chat_app.disconnected': msg`Chat app disconnected`,
      'chat_app.channels_changed': msg`Chat app channels updated`,
      'chat_post.retried': msg`Chat post retried`,
      'chat_post.canceled': msg`Chat post canceled`,
    },
  },
  {
    label: msg`Deliveries`,
    actions: {
      'delivery.retried': msg`Delivery retried`,
      'delivery.cancelled': msg`Delivery canceled`,
    },
  },
  {
    label: msg`Members`,
    actions: {
      'user.created': msg`Member added`,
      'user.invited': msg`Member invited`,
      'user.invitation_approved': msg`Invite approved`,
      'user.joined': msg`Member joined`,
      'user.linked': msg`SSO account linked`,
      'user.changed': msg`Member updated`,
      'user.profile_changed': msg`Profile updated`,
      'user.email_change_requested': msg`Email change requested`,
      'user.email_confirmed': msg`Email confirmed`,
      'user.signed_in': msg`Signed in`,
      'user.signed_out': msg`Signed out`,
      'user.sign_in_link_made': msg`Sign-in link created`,
      'user.password_reset_requested': msg`Password reset requested`,
      'user.unsubscribed': msg`Unsubscribed from email`,
      'user.sessions_ended': msg`Sessions signed out`,
      'absence.set': msg`Out of office turned on`,
      'absence.ended': msg`Out of office turned off`,
    },
  },
  {
    label: msg`Groups`,
    actions: {
      'group.created': msg`Group created`,
      'group.changed': msg`Group updated`,
      'group.deleted': msg`Group deleted`,
    },
  },
  {
    label: msg`API keys`,
    actions: {
      'key.created': msg`API key created`,
      'key.changed': msg`API key updated`,
      'key.revoked': msg`API key revoked`,
    },
  },
  {
    label: msg`Agents`,
    actions: {
      'agent.created': msg`Agent created`,
      'agent.changed': msg`Agent updated`,
      'agent.deleted': msg`Agent deleted`,
      'agent.secret_rotated': msg`Agent secret rotated`,
      'agent.tested': msg`Test event sent`,
    },
  },
  {
    label: msg`Review types`,
    actions: {
      'form.created': msg`Review type created`,
      'form.changed': msg`Review type updated`,
      'form.archived': msg`Review type archived`,
      'form.unarchived': msg`Review type unarchived`,
      'form.published': msg`Public link turned on`,
      'form.unpublished': msg`Public link turned off`,
      'form.link_rotated': msg`Public link replaced`,
    },
  },
  { label: msg`Runs`, actions: { 'run.named': msg`Run renamed` } },
  {
    label: msg`Workspace`,
    actions: {
      'account.created': msg`Workspace created`,
      'account.changed': msg`Workspace updated`,
      'account.audit_secret_rotated': msg`Audit webhook secret rotated`,
      'demo.removed': msg`Demo data removed`,
    },
  },
]

const LABELS: ReadonlyMap<string, MessageDescriptor> = new Map(
  ACTION_GROUPS.flatMap(group => Object.entries(group.actions)),
)

export const isKnownAction = (action: string): boolean => LABELS.has(action)

/** An action that this page doesn't know, from a newer server, is spelled out from its code. */
export function getActionLabel(action: string): string {
  const label = LABELS.get(action)
  if (label) return i18n._(label)
  const words = action.replace(/[._]/g, ' ')
  return words.charAt(0).toUpperCase() + words.slice(1)
}

import type { MessageDescriptor } from '@lingui/core'
import { msg, t } from '@lingui/core/macro'
import { ImageDown, type LucideIcon, Mail, MessagesSquare, Webhook } from 'lucide-react'
import type { OutgoingMessageRow } from '@/api/settings/outgoing-messages'
import { Badge, type Tone } from '@/components/status'
import { i18n } from '@/lib/i18n'

type Channel = OutgoingMessageRow['channel']
type State = OutgoingMessageRow['state']

export const CHANNELS: Record<Channel, { label: MessageDescriptor; icon: LucideIcon; isForAdmins?: true }> = {
  webhook: { label: msg`Webhooks`, icon: Webhook },
  mail: { label: msg({ message: 'Email', context: 'messages' }), icon: Mail, isForAdmins: true },
  chat: { label: msg`Chat apps`, icon: MessagesSquare, isForAdmins: true },
  media: { label: msg`Copies of files`, icon: ImageDown },
}

export const STATES: Record<State, { label: MessageDescriptor; tone: Tone }> = {
  queued: { label: msg({ message: 'Queued', context: 'outgoing message' }), tone: 'plain' },
  sending: { label: msg({ message: 'Sending', context: 'outgoing message' }), tone: 'accent' },
  sent: { label: msg({ message: 'Sent', context: 'outgoing message' }), tone: 'good' },
  failed: { label: msg({ message: 'Failed', context: 'outgoing message' }), tone: 'bad' },
  unclear: { label: msg({ message: 'Unknown', context: 'outgoing message' }), tone: 'warn' },
}

export const TARGETS: Record<NonNullable<OutgoingMessageRow['subject']['target']>, MessageDescriptor> = {
  agent: msg`Agent webhook`,
  tool: msg`Tool webhook`,
  audit: msg`Audit webhook`,
}

const APPS: Record<string, string> = { slack: 'Slack', mattermost: 'Mattermost' }

type Stated = Pick<OutgoingMessageRow, 'state' | 'canceled' | 'attemptCount'>

export function getStateLabel({ state, canceled, attemptCount }: Stated): string {
  if (canceled) return t({ message: 'Canceled', context: 'outgoing message' })
  if (state === 'queued' && attemptCount > 0) return t({ message: 'Retrying', context: 'outgoing message' })
  return i18n._(STATES[state].label)
}

export function StateBadge({ message }: { message: Stated }) {
  const isRetrying = message.state === 'queued' && message.attemptCount > 0
  const tone = message.canceled ? 'plain' : isRetrying ? 'warn' : STATES[message.state].tone
  return <Badge tone={tone}>{getStateLabel(message)}</Badge>
}

/** The receiver: hosts without their scheme, and the app of a channel. */
export function getDestination({ destination, subject }: OutgoingMessageRow): string {
  if (subject.chatApp) return `${APPS[subject.chatApp] ?? subject.chatApp} · ${destination}`
  return destination.replace(/^https?:\/\//, '')
}

/** What it's about, besides its name. */
export const getContext = (
  { subject }: OutgoingMessageRow,
  agentNames: ReadonlyMap<string, string>,
): string =>
  [
    subject.target && subject.target !== 'agent' && i18n._(TARGETS[subject.target]),
    subject.url?.split('/').at(-1),
    subject.formName,
    subject.agentId && agentNames.get(subject.agentId),
  ]
    .filter(Boolean)
    .join(' · ')

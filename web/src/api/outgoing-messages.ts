/** The member's messages that the service hasn't confirmed, sent one at a time in each session. */

import { useSyncExternalStore } from 'react'
import { getOwnKey } from '@/lib/tab-storage'
import { api, data, type Schemas } from './client'
import { type Mutation, startMutationQueue } from './mutation-queue'
import type { Message } from './session-timeline'

export type AttachedFile = { url: string; name: string; contentType: string; size: number }

type NewMessage = {
  sessionId: string
  text: string
  attachments: readonly AttachedFile[]
  /** The number of the newest message that the author saw. */
  after: number
  /** The author's ID. */
  by: string
}

export type OutgoingMessage = Mutation<NewMessage>

export const outgoingMessages = startMutationQueue<NewMessage, Message>({
  getStorageKey: () => getOwnKey('messages'),
  send: ({ id, sessionId, text, attachments }, request) =>
    data(
      api.POST('/sessions/{sessionId}/messages', {
        params: { path: { sessionId }, header: { 'Idempotency-Key': id } },
        body: {
          text,
          attachments: attachments.map(({ url, name }) => ({ url, name })),
        } as Schemas['NewMessage'],
        ...request,
      }),
    ),
  getScope: ({ sessionId }) => sessionId,
  retryDelays: [3_000, 8_000, 20_000, 60_000],
})

/** Sends a message; it's shown immediately, and kept until it has arrived. */
export const sendMessage = (message: NewMessage): void => outgoingMessages.add(message)

/** The messages of all sessions. */
export const useOutgoingMessages = (): readonly OutgoingMessage[] =>
  useSyncExternalStore(outgoingMessages.subscribe, () => outgoingMessages.all)

/** The IDs of messages whose response this page has received. */
const arrivedIds = new Set<string>()
outgoingMessages.onArrival((_, { messageId }) => arrivedIds.add(messageId))

/** The messages that the timeline doesn't show yet: the event stream may deliver a message before its response. */
export function withoutShown(
  outgoing: readonly OutgoingMessage[],
  messages: readonly Message[],
  arrived: ReadonlySet<string> = arrivedIds,
): OutgoingMessage[] {
  const taken = new Set(arrived)
  return outgoing.filter(each => {
    const shown = messages.find(
      message =>
        each.state !== 'refused' &&
        !taken.has(message.messageId) &&
        message.number > each.after &&
        message.user?.id === each.by &&
        message.text === each.text,
    )
    if (shown) taken.add(shown.messageId)
    return shown === undefined
  })
}

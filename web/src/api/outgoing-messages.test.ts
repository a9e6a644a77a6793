// @vitest-environment jsdom
import { expect, it, vi } from 'vitest'
import { api } from './client'
import { type OutgoingMessage, outgoingMessages, sendMessage, withoutShown } from './outgoing-messages'
import type { Message } from './session-timeline'

const written = (id: string, more: Partial<OutgoingMessage> = {}) =>
  ({
    id,
    sessionId: 'ses_1',
    text: 'ok',
    after: 4,
    by: 'usr_1',
    state: 'sending',
    ...more,
  }) as OutgoingMessage
const shown = (number: number, text = 'ok', user = 'usr_1') =>
  ({ messageId: `msg_${number}`, number, text, user: { id: user } }) as Message

it('sends each message with its own key, one at a time in each session', async () => {
  const post = vi.spyOn(api, 'POST')
  const respond: (() => void)[] = []
  post.mockImplementation(
    (() => new Promise(resolve => respond.push(() => resolve({ data: shown(50) })))) as never,
  )
  const message = { sessionId: 'ses_1', text: 'Hello', attachments: [], after: 4, by: 'usr_1' }
  sendMessage(message)
  sendMessage({ ...message, text: 'Bye' })
  sendMessage({ ...message, sessionId: 'ses_2' })
  expect(respond).toHaveLength(2)
  respond[0]?.()
  await vi.waitFor(() => expect(respond).toHaveLength(3))
  const requests = post.mock.calls as unknown as [
    string,
    { body: { text: string }; params: { header: Record<string, string> } },
  ][]
  expect(requests.map(([, { body }]) => body.text)).toEqual(['Hello', 'Hello', 'Bye'])
  expect(new Set(requests.map(([, { params }]) => params.header['Idempotency-Key'])).size).toBe(3)
  for (const each of respond.slice(1)) each()
  await vi.waitFor(() => expect(outgoingMessages.all).toEqual([]))
})

it('shows a message once if the event stream was faster than the response', () => {
  const two = [written('a'), written('b')]
  expect(withoutShown(two, [shown(5)]).map(each => each.id)).toEqual(['b'])
  expect(withoutShown(two, [shown(6), shown(5)])).toEqual([])
})

it('shows a message once if its response got lost', () => {
  expect(withoutShown([written('a', { state: 'waiting' })], [shown(5)])).toEqual([])
  const refused = [written('a', { state: 'refused' })]
  expect(withoutShown(refused, [shown(5)])).toEqual(refused)
})

it('tells a message from earlier ones, from those of others, and from one that has arrived', () => {
  const one = [written('a')]
  expect(withoutShown(one, [shown(6, 'ok', 'usr_2'), shown(6, 'no'), shown(4)])).toEqual(one)
  expect(withoutShown(one, [shown(5)], new Set(['msg_5']))).toEqual(one)
})

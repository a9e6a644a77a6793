// @vitest-environment jsdom
import { QueryClient, QueryObserver } from '@tanstack/react-query'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { ApiError, api } from './client'
import { startRead } from './row-store'
import { getMessages, type Message, messageRows, storeTimelinePage, type Timeline } from './session-timeline'
import { readNewMessages, refetchTimelines, sessionKeys } from './sessions'

const said = (number: number) =>
  ({
    messageId: `msg_${number}`,
    sessionId: 'ses_1',
    number,
    text: `${number}`,
    state: 'complete',
    createdAt: `2026-11-15T10:00:0${number}.000Z`,
    updatedAt: '2026-11-15T10:00:00.000Z',
  }) as Message

const pageOf = (number: number, nextCursor: string | null) =>
  storeTimelinePage(
    { items: [{ kind: 'message', at: said(number).createdAt, message: said(number) }], nextCursor },
    startRead(),
  )

const KEY = sessionKeys.timeline('ses_1')

let client: QueryClient
let answers: (() => { data: { items: Message[] } })[]
/** Keeps an observer on the query. */
const watch = () =>
  new QueryObserver(client, { queryKey: KEY, staleTime: 'static' }).subscribe(() => undefined)
const shown = () => getMessages('ses_1', client.getQueryData<Timeline>(KEY)).map(each => each.number)

beforeEach(() => {
  vi.useFakeTimers()
  answers = []
  messageRows.clear()
  vi.spyOn(api, 'GET').mockImplementation((async () => answers.shift()?.()) as never)
  client = new QueryClient()
  const pages = [pageOf(2, 'c'), pageOf(1, null)]
  client.setQueryData<Timeline>(KEY, { pages, pageParams: [undefined, 'c'] })
})
afterEach(() => {
  client.clear()
  vi.restoreAllMocks()
  vi.useRealTimers()
})

describe('reading new messages', () => {
  const refused = () => {
    throw new ApiError(503, {})
  }
  const news = () => ({ data: { items: [said(3)] } })

  it('that fails is tried again while somebody looks', async () => {
    const stop = watch()
    answers = [refused, refused, news]
    await readNewMessages(client, 'ses_1')
    expect(shown()).toEqual([2, 1])
    await vi.advanceTimersByTimeAsync(60_000)
    expect(shown()).toEqual([3, 2, 1])
    stop()
  })

  it('that fails is left alone when nobody does', async () => {
    answers = [refused, news]
    await readNewMessages(client, 'ses_1')
    await vi.advanceTimersByTimeAsync(600_000)
    expect(answers).toHaveLength(1)
  })

  it('is given up in the end', async () => {
    const stop = watch()
    answers = Array.from({ length: 20 }, () => refused)
    await readNewMessages(client, 'ses_1')
    await vi.advanceTimersByTimeAsync(6_000_000)
    expect(answers).toHaveLength(15)
    stop()
  })
})

describe('reading everything anew', () => {
  it('cuts what nobody looks at to its newest page, and nothing under a reader', () => {
    const stop = watch()
    refetchTimelines(client)
    expect(shown()).toEqual([2, 1])
    stop()
    refetchTimelines(client)
    expect(shown()).toEqual([2])
  })
})

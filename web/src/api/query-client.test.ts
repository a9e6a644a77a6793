import { InfiniteQueryObserver, QueryObserver } from '@tanstack/react-query'
import { beforeEach, describe, expect, it } from 'vitest'
import { RefetchingQueryClient } from './query-client'

const KEY = ['runs', 'one', 'r1']

/** A service that responds when the test says so, with the state at the time of the request. */
class Service {
  truth = 'before'
  readonly asked: (() => void)[] = []
  // Takes the signal, as all our queries do, so that unneeded fetches are aborted.
  read = ({ signal: _ }: { signal?: AbortSignal } = {}) => {
    const { truth } = this
    return new Promise<string>(resolve => this.asked.push(() => resolve(truth)))
  }
  async answer() {
    for (const answer of this.asked.splice(0)) answer()
    for (let turn = 0; turn < 10; turn += 1) await Promise.resolve()
  }
}

let client: RefetchingQueryClient
let service: Service
const show = () =>
  new QueryObserver(client, { queryKey: KEY, queryFn: service.read, retry: false }).subscribe(() => undefined)
const shown = () => client.getQueryData(KEY)

const change = () => {
  service.truth = 'after'
  void client.invalidateQueries({ queryKey: ['runs'] })
}

beforeEach(() => {
  client = new RefetchingQueryClient()
  service = new Service()
})

describe('what changes while it is read', () => {
  it('for the first time is read once more', async () => {
    show()
    change()
    await service.answer()
    expect(shown()).toBe('before')
    await service.answer()
    expect(shown()).toBe('after')
    expect(service.asked).toHaveLength(0)
  })

  it('a second time is read at once instead', async () => {
    show()
    await service.answer()
    void client.invalidateQueries({ queryKey: KEY })
    change()
    await service.answer()
    expect(shown()).toBe('after')
    expect(service.asked).toHaveLength(0)
  })

  it('by nobody who shows it is read when somebody does', async () => {
    void client.prefetchQuery({ queryKey: KEY, queryFn: service.read })
    change()
    await service.answer()
    expect(shown()).toBe('before')
    expect(service.asked).toHaveLength(0)
    expect(client.getQueryState(KEY)?.isInvalidated).toBe(true)
    show()
    await service.answer()
    expect(shown()).toBe('after')
  })

  it('is asked for again if it was not there yet', async () => {
    let isThere = false
    const read = () => (isThere ? Promise.resolve('after') : Promise.reject(new Error('not found')))
    new QueryObserver(client, { queryKey: KEY, queryFn: read, retry: false }).subscribe(() => undefined)
    isThere = true
    await client.invalidateQueries({ queryKey: KEY })
    await service.answer()
    await service.answer()
    expect(shown()).toBe('after')
  })

  it('once more is read until it can be', async () => {
    let times = 0
    const read = () => {
      times += 1
      return Promise.reject(new Error('not now'))
    }
    new QueryObserver(client, { queryKey: KEY, queryFn: read, retry: false }).subscribe(() => undefined)
    change()
    for (let turn = 0; turn < 5; turn += 1) await service.answer()
    expect(times).toBe(2)
    expect(client.getQueryState(KEY)?.isInvalidated).toBe(true)
  })
})

describe('what is to be read again', () => {
  it('still is when nobody waits for the read any more', async () => {
    const hide = show()
    await service.answer()
    change()
    hide()
    await service.answer()
    expect(shown()).toBe('before')
    expect(client.getQueryState(KEY)?.isInvalidated).toBe(true)
  })

  it('is read once more, however often it changed while it was read', async () => {
    show()
    change()
    change()
    change()
    await service.answer()
    expect(service.asked).toHaveLength(1)
    await service.answer()
    expect(shown()).toBe('after')
    expect(service.asked).toHaveLength(0)
  })
})

describe('a list that is read again', () => {
  it('is, though one more page was being read', async () => {
    const observer = new InfiniteQueryObserver(client, {
      queryKey: KEY,
      queryFn: ({ pageParam, signal }) => service.read({ signal }).then(truth => `${truth} ${pageParam}`),
      initialPageParam: 1,
      getNextPageParam: (_, pages) => pages.length + 1,
    })
    observer.subscribe(() => undefined)
    await service.answer()
    void observer.fetchNextPage()
    change()
    for (let page = 0; page < 4; page += 1) await service.answer()
    expect(observer.getCurrentResult().data?.pages).toEqual(['after 1'])
    expect(service.asked).toHaveLength(0)
  })

  it('is not for one more page', async () => {
    const observer = new InfiniteQueryObserver(client, {
      queryKey: KEY,
      queryFn: service.read,
      initialPageParam: 1,
      getNextPageParam: (_, pages) => pages.length + 1,
    })
    observer.subscribe(() => undefined)
    await service.answer()
    void observer.fetchNextPage()
    expect(service.asked).toHaveLength(1)
    await service.answer()
    expect(service.asked).toHaveLength(0)
  })
})

describe('what does not change', () => {
  it('is read once', async () => {
    show()
    void client.invalidateQueries({ queryKey: ['agents'] })
    await service.answer()
    expect(service.asked).toHaveLength(0)
  })

  it('put into the cache while it is read does not count as read', async () => {
    show()
    change()
    client.setQueryData(KEY, 'guessed')
    expect(service.asked).toHaveLength(1)
    await service.answer()
    await service.answer()
    expect(shown()).toBe('after')
  })
})

/** TanStack Query's client, in which what is to be read again is read again, whatever else happens meanwhile. */

import {
  type InvalidateOptions,
  type InvalidateQueryFilters,
  type Query,
  type QueryCacheNotifyEvent,
  QueryClient,
  type QueryClientConfig,
  type QueryKey,
} from '@tanstack/react-query'

/**
 * An invalidation holds until everything was read that was asked for after it. The library forgets it with whatever comes
 * next: with the end of a first read that was under way, and so may have been answered before the change; with what is
 * patched into the cache; with one more page of a list; and with a read that is broken off.
 */
export class RefetchingQueryClient extends QueryClient {
  /** What was invalidated and not read since; true: a whole read has begun since. */
  readonly #invalidated = new Map<Query, boolean>()

  constructor(config?: QueryClientConfig) {
    super(config)
    this.getQueryCache().subscribe(event => this.#handleEvent(event))
  }

  override invalidateQueries<Key extends QueryKey = QueryKey>(
    filters?: InvalidateQueryFilters<Key>,
    options?: InvalidateOptions,
  ): Promise<void> {
    for (const query of this.getQueryCache().findAll(filters)) this.#invalidated.set(query, false)
    return super.invalidateQueries(filters, options)
  }

  #handleEvent(event: QueryCacheNotifyEvent): void {
    const { query } = event
    const hasBegun = this.#invalidated.get(query)
    if (hasBegun === undefined) return
    if (event.type === 'removed') this.#invalidated.delete(query)
    if (event.type !== 'updated') return
    switch (event.action.type) {
      case 'fetch':
        this.#invalidated.set(query, !isFetchingPage(query))
        break
      case 'success':
        if (event.action.manual) query.invalidate()
        else if (hasBegun && !isFetchingPage(query)) this.#invalidated.delete(query)
        else this.#refetch(query)
        break
      case 'error':
        if (!hasBegun) this.#refetch(query)
        this.#invalidated.set(query, false)
        break
      case 'setState':
        // It was broken off, and is as it was before.
        this.#invalidated.set(query, false)
        query.invalidate()
    }
  }

  /** After this round, in which the cache is telling everybody what was read. */
  #refetch({ queryKey }: Query): void {
    queueMicrotask(() => this.invalidateQueries({ queryKey, exact: true }))
  }
}

/** One more page is read of a list, not the list. */
const isFetchingPage = ({ state }: Query): boolean => state.fetchMeta?.fetchMore !== undefined

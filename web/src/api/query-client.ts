/** TanStack Query's client, with invalidations that always lead to a refetch. */

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
 * Keeps an invalidation until a fetch that started after it has finished. The library drops an invalidation with the
 * next update of the query: when a first fetch ends that was in progress, and so may have been answered before the
 * change; when the cache is patched; when one more page of a list is fetched; and when a fetch is aborted.
 */
export class RefetchingQueryClient extends QueryClient {
  /** Queries that were invalidated and not refetched since; true: a complete refetch has started. */
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
        // The fetch was aborted and the data is as it was before.
        this.#invalidated.set(query, false)
        query.invalidate()
    }
  }

  /** In a microtask, because the cache is still notifying its observers. */
  #refetch({ queryKey }: Query): void {
    queueMicrotask(() => this.invalidateQueries({ queryKey, exact: true }))
  }
}

/** Fetches one more page of a list, not the whole list. */
const isFetchingPage = ({ state }: Query): boolean => state.fetchMeta?.fetchMore !== undefined

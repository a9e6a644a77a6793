/** TanStack Query's client, in which no change is lost to a read that is under way. */

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
 * What is invalidated while it is being read may have been read before it changed. The library reads it once more only
 * if it is shown and was read before; a first read, and one that nobody looks at, counts as true once it is there.
 */
export class AttentiveQueryClient extends QueryClient {
  readonly #doubtful = new Set<Query>()

  constructor(config?: QueryClientConfig) {
    super(config)
    this.getQueryCache().subscribe(event => {
      if (event.type === 'removed') this.#doubtful.delete(event.query)
      else if (hasBeenRead(event) && this.#doubtful.delete(event.query))
        // After this round, in which the cache is telling everybody what was read.
        queueMicrotask(() => this.invalidateQueries({ queryKey: event.query.queryKey, exact: true }))
    })
  }

  override invalidateQueries<Key extends QueryKey = QueryKey>(
    filters?: InvalidateQueryFilters<Key>,
    options?: InvalidateOptions,
  ): Promise<void> {
    for (const query of this.getQueryCache().findAll(filters)) {
      const isReadOnceMore =
        query.state.data !== undefined && query.isActive() && filters?.refetchType !== 'none'
      if (query.state.fetchStatus === 'fetching' && !isReadOnceMore) this.#doubtful.add(query)
    }
    return super.invalidateQueries(filters, options)
  }
}

/** An answer came, whichever; not: something was put into the cache here. */
function hasBeenRead(event: QueryCacheNotifyEvent): boolean {
  if (event.type !== 'updated') return false
  return event.action.type === 'error' || (event.action.type === 'success' && !event.action.manual)
}

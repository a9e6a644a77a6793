/** TanStack Query's client, with invalidations that always lead to a refetch. */

import {
  type InvalidateOptions,
  type InvalidateQueryFilters,
  QueryClient,
  type QueryKey,
} from '@tanstack/react-query'

/**
 * Invalidates a query again after a fetch that was in progress. Its response may be from before the change, but the
 * library would take it as current. It aborts and repeats the fetch only if the query is shown and has data. This can
 * be deleted once https://github.com/TanStack/query/issues/11526 is fixed.
 */
export class RefetchingQueryClient extends QueryClient {
  /** Fetches whose responses may be outdated. */
  readonly #outdated = new WeakSet<Promise<unknown>>()

  override invalidateQueries<Key extends QueryKey = QueryKey>(
    filters?: InvalidateQueryFilters<Key>,
    options?: InvalidateOptions,
  ): Promise<void> {
    const fetches = this.getQueryCache()
      .findAll({ ...filters, fetchStatus: 'fetching' })
      .map(query => ({ query, fetch: query.promise }))
    const done = super.invalidateQueries(filters, options)
    for (const { query, fetch } of fetches) {
      if (!fetch || query.promise !== fetch || this.#outdated.has(fetch)) continue
      this.#outdated.add(fetch)
      const invalidate = () => this.invalidateQueries({ queryKey: query.queryKey, exact: true })
      void fetch.then(invalidate, invalidate)
    }
    return done
  }
}

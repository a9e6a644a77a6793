import { infiniteQueryOptions } from '@tanstack/react-query'
import { api, data, type Schemas } from '../client'
import type { paths } from '../schema'

export type Entry = Schemas['Entry']
export type AuditFilters = Omit<
  NonNullable<paths['/auditLog']['get']['parameters']['query']>,
  'cursor' | 'limit'
>

export const auditLogQuery = (filters: AuditFilters) =>
  infiniteQueryOptions({
    queryKey: ['audit-log', filters],
    queryFn: ({ pageParam, signal }) =>
      data(api.GET('/auditLog', { params: { query: { ...filters, cursor: pageParam, limit: 50 } }, signal })),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: page => page.nextCursor ?? undefined,
  })

import { queryOptions } from '@tanstack/react-query'
import { api, data } from '../client'
import { fetchAllPages } from '../settings/pagination'

const formListQuery = (archived: boolean) =>
  queryOptions({
    queryKey: ['forms', 'list', archived],
    queryFn: ({ signal }) =>
      fetchAllPages(cursor =>
        data(api.GET('/forms', { params: { query: { cursor, limit: 200, archived } }, signal })),
      ),
  })

export const activeFormsQuery = formListQuery(false)
export const archivedFormsQuery = formListQuery(true)

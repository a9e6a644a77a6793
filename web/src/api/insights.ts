import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { api, data, type Schemas } from './client'

export type Insights = Schemas['Insights']
export type InsightsPoint = Insights['series'][number]
export type FieldEdits = Insights['fields'][number]
export type DeliveryHealth = Insights['deliveries']

export type InsightsFilters = {
  from: string
  to: string
  timeZone: string
  agentId?: string
  formId?: string
}

export const insightsKeys = {
  all: ['insights'] as const,
  filtered: (question: InsightsFilters) => [...insightsKeys.all, question] as const,
  choices: ['insights', 'choices'] as const,
}

/** Keeps the previous data until the new data is there: the page dims it instead of going blank. */
export const insightsQuery = (question: InsightsFilters) =>
  queryOptions({
    queryKey: insightsKeys.filtered(question),
    queryFn: ({ signal }) => data(api.GET('/insights', { params: { query: question }, signal })),
    placeholderData: keepPreviousData,
    staleTime: 60_000,
    refetchInterval: 120_000,
  })

export type FilterOption = { id: string; name: string; agentId?: string | null }

const PAGE_SIZE = 200
/** More pages than anyone would scroll through in a list. */
const MAX_PAGES = 5

async function fetchAllPages<Item>(
  page: (cursor: string | undefined) => Promise<{ items: Item[]; nextCursor?: string | null }>,
): Promise<Item[]> {
  const items: Item[] = []
  let cursor: string | undefined
  for (let read = 0; read < MAX_PAGES; read += 1) {
    const answer = await page(cursor)
    items.push(...answer.items)
    if (!answer.nextCursor) break
    cursor = answer.nextCursor
  }
  return items
}

/** The values that the page can be filtered by. */
export const insightsOptionsQuery = queryOptions({
  queryKey: insightsKeys.choices,
  queryFn: async ({ signal }): Promise<{ agents: FilterOption[]; forms: FilterOption[] }> => {
    const [agents, forms] = await Promise.all([
      fetchAllPages(cursor =>
        data(api.GET('/agents', { params: { query: { cursor, limit: PAGE_SIZE } }, signal })),
      ),
      fetchAllPages(cursor =>
        data(api.GET('/forms', { params: { query: { cursor, limit: PAGE_SIZE } }, signal })),
      ),
    ])
    return {
      agents: agents.map(agent => ({ id: agent.agentId, name: agent.name })),
      forms: forms.map(form => ({ id: form.formId, name: form.name, agentId: form.agentId })),
    }
  },
  staleTime: 5 * 60_000,
})

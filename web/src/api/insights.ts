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

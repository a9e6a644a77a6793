import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { api, data, type Schemas } from './client'

export type Run = Schemas['Run']
export type Step = Schemas['Step']

export const runKeys = {
  all: ['runs'] as const,
  one: (runId: string) => ['runs', 'one', runId] as const,
}

export const runQuery = (runId: string) =>
  queryOptions({
    queryKey: runKeys.one(runId),
    queryFn: ({ signal }) => data(api.GET('/runs/{runId}', { params: { path: { runId } }, signal })),
  })

export function useRenameRun(runId: string) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (name: string) =>
      data(api.PATCH('/runs/{runId}', { params: { path: { runId } }, body: { name } })),
    onSuccess: run => client.setQueryData(runKeys.one(runId), run),
  })
}

/** The status of a step. */
export type StepStatus = 'submitted' | 'approved' | 'rejected' | 'waiting' | 'pending'

export function getStepStatus(step: Step): StepStatus {
  if (step.state === 'responded') return step.response ?? 'submitted'
  return step.retryRequested ? 'waiting' : 'pending'
}

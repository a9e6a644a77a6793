import { t } from '@lingui/core/macro'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { ApiError } from '@/api/client'
import { postDecision } from '@/api/decisions'
import { classifyError } from '@/api/failures'
import { type Access, type Review, type ReviewQueries, refetchReview, reviewKeys } from '@/api/review'
import { Button } from '@/components/button'
import { ErrorState, Notice } from '@/components/status'
import { getFieldErrors } from '@/form'
import { randomId } from '@/lib/random'
import type { EditStore } from './edit-store'
import { PaneSkeleton } from './pane-states'
import { type DecisionInput, ReviewDesk } from './review-desk'
import { useContent } from './use-content'
import { useEdit } from './use-edit'

/** A pending review for an external reviewer. Decisions are sent right away, without time to undo. */
export function ExternalReviewDesk({
  review,
  access,
  queries,
  store,
  onDecided,
}: {
  review: Review
  access: Access
  queries: ReviewQueries
  store: EditStore
  onDecided: () => void
}) {
  const { reviewId } = review
  const client = useQueryClient()
  const { definition, content, error, reread } = useContent(queries, review)
  const draft = useQuery(queries.draft(reviewId))
  const { edit, saveState } = useEdit(store, reviewId, content, draft.isError ? null : draft.data)
  // The same key for every attempt, so that a lost response decides nothing twice.
  const decision = useMutation({
    mutationFn: ({ key, ...verdict }: DecisionInput & { key: string }) =>
      postDecision(access, { reviewId, ...verdict }, { key }),
    onSuccess: decided => {
      store.forget(reviewId)
      onDecided()
      client.setQueryData(reviewKeys.review(reviewId), decided)
    },
    onError: (error, verdict) => {
      if (!(error instanceof ApiError)) return
      if (error.status === 422 && definition) {
        const serverErrors = getFieldErrors(definition, error.errors)
        store.change(reviewId, now => ({ ...now, attempted: { response: verdict.response }, serverErrors }))
      } else if (error.status !== 0) void refetchReview(client, reviewId)
    },
  })
  if (error) return <ErrorState title={t`Couldn't load the review`} error={error} onRetry={reread} />
  if (!edit) return <PaneSkeleton />
  const failure = decision.error
  return (
    <ReviewDesk
      review={review}
      edit={edit}
      store={store}
      saveState={saveState}
      access={access}
      idPrefix="review"
      busy={decision.isPending}
      onDecide={verdict => decision.mutate({ ...verdict, key: randomId() })}
      banners={
        failure && (
          <div role="alert">
            <Notice
              tone="bad"
              actions={
                classifyError(failure).isTemporary && (
                  <Button size="small" onClick={() => decision.mutate(decision.variables)}>
                    {t`Try again`}
                  </Button>
                )
              }
            >
              <strong className="font-semibold">{t`Your decision wasn't saved.`}</strong> {failure.message}
            </Notice>
          </div>
        )
      }
    />
  )
}

import { t } from '@lingui/core/macro'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { BellRing, Undo2 } from 'lucide-react'
import { type Access, cancelRetry, type Review, refetchReview, remindAgent, reviewKeys } from '@/api/review'
import { Button } from '@/components/button'

/** What a reviewer can do while waiting on the agent: remind it, or withdraw the request and decide. */
export function RetryActions({ review, access }: { review: Review; access: Access }) {
  const client = useQueryClient()
  const { reviewId } = review
  const settled = {
    onSuccess: (changed: Review) => client.setQueryData(reviewKeys.review(reviewId), changed),
    // Also after a failure: the agent may have sent a new revision in between.
    onSettled: () => void refetchReview(client, reviewId),
  }
  const reminding = useMutation({ mutationFn: () => remindAgent(access, reviewId), ...settled })
  const withdrawal = useMutation({ mutationFn: () => cancelRetry(access, reviewId), ...settled })
  const error = reminding.error ?? withdrawal.error
  return (
    <>
      <span className="flex gap-2">
        <Button
          size="small"
          icon={<BellRing />}
          busy={reminding.isPending}
          disabled={withdrawal.isPending}
          onClick={() => reminding.mutate()}
        >
          {t`Remind agent`}
        </Button>
        <Button
          size="small"
          icon={<Undo2 />}
          busy={withdrawal.isPending}
          disabled={reminding.isPending}
          onClick={() => withdrawal.mutate()}
        >
          {t`Withdraw change request`}
        </Button>
      </span>
      {error && (
        <p role="alert" className="basis-full text-bad text-sm">
          {error.message}
        </p>
      )}
    </>
  )
}

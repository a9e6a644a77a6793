import { t } from '@lingui/core/macro'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { isStatus } from '@/api/client'
import { deleteReview, type Review, reviewKeys, reviewQueries } from '@/api/review'
import { useMay } from '@/api/session'
import { Confirm } from '@/components/dialog'
import { ErrorState } from '@/components/status'
import { useShortcuts } from '@/lib/shortcuts'
import { memberEdits } from './edit-store'
import { HistoryPopover } from './history/history-place'
import { JsonDialog } from './json-dialog'
import { PaneSkeleton, ReviewDeleted, ReviewMissing } from './pane-states'
import { useHeartbeat } from './presence'
import { ReviewBody } from './review-body'
import { ReviewHeader, useReviewTitle } from './review-header'
import { usePaneWidth } from './use-pane-width'

export type ReviewPaneProps = {
  reviewId: string
  onClose: () => void
  onNext: () => void
  onPrevious: () => void
  position?: { index: number; total?: number }
}

/** One review: its content, decision and history. */
export function ReviewPane(props: ReviewPaneProps) {
  const [isHistoryOpen, setHistoryOpen] = useState(false)
  // The member got here by deciding the previous review, which had focus.
  const [cameByDeciding, setCameByDeciding] = useState(false)
  return (
    <OpenReview
      key={props.reviewId}
      {...props}
      isHistoryOpen={isHistoryOpen}
      setHistoryOpen={setHistoryOpen}
      takesFocus={cameByDeciding}
      onDecided={() => {
        setCameByDeciding(true)
        props.onNext()
      }}
    />
  )
}

type OpenProps = ReviewPaneProps & {
  isHistoryOpen: boolean
  setHistoryOpen: (open: boolean) => void
  takesFocus: boolean
  onDecided: () => void
}

function OpenReview(props: OpenProps) {
  const { reviewId, onClose } = props
  const review = useQuery(reviewQueries.review(reviewId))
  if (review.data) {
    if (isStatus(review.error, 404))
      return <ReviewDeleted edit={memberEdits.edit(reviewId)} onClose={onClose} />
    return <LoadedReview {...props} review={review.data} />
  }
  if (isStatus(review.error, 404)) return <ReviewMissing onClose={onClose} />
  if (review.error)
    return (
      <ErrorState title={t`Couldn't load the review`} error={review.error} onRetry={() => review.refetch()} />
    )
  return <PaneSkeleton />
}

function LoadedReview({
  review,
  onClose,
  onNext,
  onPrevious,
  position,
  isHistoryOpen,
  setHistoryOpen,
  takesFocus,
  onDecided,
}: OpenProps & { review: Review }) {
  const [isRawOpen, setRawOpen] = useState(false)
  const [isDeleting, setDeleting] = useState(false)
  const title = useReviewTitle(review)
  const mayDelete = useMay('request')
  const [place, width] = usePaneWidth()
  useHeartbeat(review.reviewId)
  useShortcuts(
    useMemo(
      () => [
        {
          keys: 'h',
          label: t`History`,
          group: t({ message: 'Review', context: 'noun' }),
          run: () => setHistoryOpen(!isHistoryOpen),
        },
      ],
      [isHistoryOpen, setHistoryOpen],
    ),
  )
  return (
    <section ref={place} aria-label={t`Review: ${title}`} className="flex h-full min-h-0 min-w-0">
      <div className="flex min-h-0 min-w-0 flex-1 flex-col">
        <ReviewHeader
          review={review}
          onClose={onClose}
          onNext={onNext}
          onPrevious={onPrevious}
          position={position}
          isHistoryOpen={isHistoryOpen}
          onHistory={() => setHistoryOpen(!isHistoryOpen)}
          onRaw={() => setRawOpen(true)}
          {...(mayDelete && { onDelete: () => setDeleting(true) })}
          takesFocus={takesFocus}
        />
        <ReviewBody review={review} onDecided={onDecided} />
      </div>
      <HistoryPopover
        review={review}
        open={isHistoryOpen}
        onClose={() => setHistoryOpen(false)}
        isBeside={width >= 820}
      />
      <JsonDialog
        open={isRawOpen}
        onClose={() => setRawOpen(false)}
        title={t`Review as JSON`}
        text={isRawOpen ? JSON.stringify(review, null, 2) : null}
      />
      <DeleteReview
        reviewId={review.reviewId}
        title={title}
        open={isDeleting}
        onClose={() => setDeleting(false)}
        onDeleted={onClose}
      />
    </section>
  )
}

function DeleteReview({
  reviewId,
  title,
  open,
  onClose,
  onDeleted,
}: {
  reviewId: string
  title: string
  open: boolean
  onClose: () => void
  onDeleted: () => void
}) {
  const client = useQueryClient()
  const deletion = useMutation({
    mutationFn: () => deleteReview(reviewId),
    onSuccess: () => {
      memberEdits.forget(reviewId)
      onDeleted()
      client.removeQueries({ queryKey: reviewKeys.all(reviewId) })
    },
  })
  return (
    <Confirm
      open={open}
      onClose={onClose}
      title={t`Delete “${title}”?`}
      confirm={t`Delete review`}
      busy={deletion.isPending}
      onConfirm={() => deletion.mutate()}
    >
      {t`This permanently deletes the review and its revisions, result, and deliveries. The agent is notified only if it receives review.deleted events.`}
      {deletion.error && (
        <p role="alert" className="mt-2 text-bad">
          {deletion.error.message}
        </p>
      )}
    </Confirm>
  )
}

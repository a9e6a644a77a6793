import { t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import { Check, ChevronDown, FileInput, Hourglass, MessageSquareText, X } from 'lucide-react'
import { type ReactNode, useRef } from 'react'
import { useFormName } from '@/api/forms/names'
import { reviewQueries } from '@/api/review'
import type { ReviewRow } from '@/api/reviews'
import { RelativeTime } from '@/components/relative-time'
import { Badge } from '@/components/status'
import { classes } from '@/lib/classes'

type Shown = Pick<
  ReviewRow,
  'reviewId' | 'formId' | 'formName' | 'state' | 'retryRequested' | 'createdAt'
> & {
  title?: string | undefined
  response?: string | undefined
  respondingUser?: string | undefined
}

export type OpenReviews = {
  /** The review that is open inside the session. */
  openId: string | undefined
  onOpen: (reviewId: string | undefined) => void
  /** Renders the review itself, to read and decide. */
  draw: (reviewId: string) => ReactNode
  holdAt: (element: HTMLElement) => void
}

type Props = { review: Shown; isTrigger: boolean; reviews: OpenReviews; className?: string }

/** A review or a submitted trigger form, as a card that opens in place. */
export function ReviewCard({ review, isTrigger, reviews, className }: Props) {
  const card = useRef<HTMLElement>(null)
  const { reviewId } = review
  const isOpen = reviews.openId === reviewId
  const formName = useFormName()(review)
  const title = review.title || formName
  const toggle = () => {
    if (card.current) reviews.holdAt(card.current)
    reviews.onOpen(isOpen ? undefined : reviewId)
  }
  return (
    <section
      ref={card}
      data-entry
      data-review={reviewId}
      aria-label={isTrigger ? t`Submitted form: ${title}` : t`Review: ${title}`}
      className={classes('overflow-hidden rounded-lg border border-line bg-surface', className)}
    >
      <h3>
        <button
          type="button"
          aria-expanded={isOpen}
          onClick={toggle}
          className="-outline-offset-2 flex min-h-11 w-full items-center gap-3 px-3 py-2 text-start hover:bg-sunken"
        >
          <span className="text-muted" aria-hidden="true">
            {isTrigger ? <FileInput /> : <MessageSquareText />}
          </span>
          <span className="min-w-0 flex-1">
            <span dir="auto" className="block truncate font-medium" title={title}>
              {title}
            </span>
            <span className="block truncate text-muted text-sm">
              {getKindText(review, isTrigger)}
              {review.title && ` · ${formName}`} · <RelativeTime at={review.createdAt} />
            </span>
          </span>
          <ReviewState review={review} isTrigger={isTrigger} />
          <ChevronDown
            className={classes('shrink-0 text-muted transition-transform', isOpen && 'rotate-180')}
          />
        </button>
      </h3>
      {isOpen && <div className="border-line border-t bg-canvas">{reviews.draw(reviewId)}</div>}
    </section>
  )
}

function getKindText({ respondingUser }: Shown, isTrigger: boolean): string {
  if (!isTrigger) return t({ message: 'Review', context: 'noun' })
  return respondingUser ? t`Submitted by ${{ name: respondingUser }}` : t`Submitted`
}

function ReviewState({ review, isTrigger }: { review: Shown; isTrigger: boolean }) {
  if (isTrigger) return null
  if (review.state === 'pending')
    return review.retryRequested ? (
      <Badge tone="warn">
        <Hourglass /> {t`Waiting on agent`}
      </Badge>
    ) : (
      <Badge tone="accent">{t`Pending`}</Badge>
    )
  if (review.response === 'approved')
    return (
      <Badge tone="good">
        <Check /> {t`Approved`}
      </Badge>
    )
  if (review.response === 'rejected')
    return (
      <Badge tone="bad">
        <X /> {t`Rejected`}
      </Badge>
    )
  return <Badge>{t`Submitted`}</Badge>
}

/** The review that came with a message, and its row if the timeline has it. */
export function AttachedReview({
  reviewId,
  row,
  reviews,
}: {
  reviewId: string
  row: ReviewRow | undefined
  reviews: OpenReviews
}) {
  const read = useQuery({ ...reviewQueries.review(reviewId), enabled: row === undefined })
  const review = row ?? (read.data && fromReview(read.data))
  if (read.error && !review) return <p className="mt-1.5 text-muted text-sm">{t`This review was deleted.`}</p>
  // As high as the card will be.
  if (!review)
    return <div className="mt-1.5 h-14 max-w-xl rounded-lg border border-line" aria-hidden="true" />
  return (
    <ReviewCard
      review={review}
      isTrigger={false}
      reviews={reviews}
      className="mt-1.5 max-w-3xl max-md:-ms-10"
    />
  )
}

function fromReview(review: {
  reviewId: string
  title?: string
  formId: string
  formName: string
  state: 'pending' | 'responded'
  retryRequested?: unknown
  createdAt: string
  reviewResult?: { response?: string; respondingUser?: string } | null
}): Shown {
  return {
    reviewId: review.reviewId,
    title: review.title,
    formId: review.formId,
    formName: review.formName,
    state: review.state,
    retryRequested: Boolean(review.retryRequested),
    createdAt: review.createdAt,
    response: review.reviewResult?.response,
    respondingUser: review.reviewResult?.respondingUser,
  }
}

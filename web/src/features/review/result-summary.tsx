import { Plural, Trans } from '@lingui/react/macro'
import { Check, CircleSlash, Send, Timer, X, Zap } from 'lucide-react'
import type { Review } from '@/api/review'
import { RelativeTime } from '@/components/relative-time'
import { Notice } from '@/components/status'

/** The decision, by whom, when, and why. */
export function ResultSummary({ review, edited }: { review: Review; edited: number }) {
  const result = review.reviewResult
  if (!result) return null
  const { response, reason } = result
  const tone = response === 'approved' ? 'good' : response === 'rejected' ? 'bad' : 'accent'
  const icon = review.autoApproved ? (
    <Zap />
  ) : review.timedOut ? (
    <Timer />
  ) : response === 'approved' ? (
    <Check />
  ) : response === 'rejected' ? (
    <X />
  ) : (
    <Send />
  )
  return (
    <div className="flex flex-col gap-2">
      <Notice tone={tone} icon={icon}>
        <p>
          <Outcome review={review} result={result} edits={edited} />
        </p>
        {reason && (
          <p dir="auto" className="mt-1 whitespace-pre-wrap break-words">
            {reason}
          </p>
        )}
      </Notice>
      {review.deliveryNote && (
        <Notice icon={<CircleSlash />}>
          <span className="text-muted">{review.deliveryNote}</span>
        </Notice>
      )}
    </div>
  )
}

function Outcome({
  review,
  result,
  edits,
}: {
  review: Review
  result: NonNullable<Review['reviewResult']>
  edits: number
}) {
  const { response, respondingUser, respondedAt } = result
  const time = <RelativeTime at={respondedAt} />
  if (review.timedOut)
    return response === 'approved' ? (
      <Trans>
        <strong className="font-semibold">Auto-approved</strong> {time} because the deadline passed
      </Trans>
    ) : (
      <Trans>
        <strong className="font-semibold">Auto-rejected</strong> {time} because the deadline passed
      </Trans>
    )
  if (review.autoApproved)
    return response === 'approved' ? (
      <Trans>
        <strong className="font-semibold">Auto-approved</strong> {time}
      </Trans>
    ) : (
      <Trans>
        <strong className="font-semibold">Submitted</strong> automatically {time}
      </Trans>
    )
  const name = <bdi>{respondingUser}</bdi>
  if (response === 'approved')
    return (
      <Trans>
        <strong className="font-semibold">Approved</strong> by {name} {time}
        <Plural value={edits} _0="" one=" with # edit" other=" with # edits" />
      </Trans>
    )
  if (response === 'rejected')
    return (
      <Trans>
        <strong className="font-semibold">Rejected</strong> by {name} {time}
        <Plural value={edits} _0="" one=" with # edit" other=" with # edits" />
      </Trans>
    )
  return (
    <Trans>
      <strong className="font-semibold">Submitted</strong> by {name} {time}
      <Plural value={edits} _0="" one=" with # edit" other=" with # edits" />
    </Trans>
  )
}

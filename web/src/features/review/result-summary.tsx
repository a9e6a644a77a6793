import { Check, CircleSlash, Send, Timer, X, Zap } from 'lucide-react'
import type { Review } from '@/api/review'
import { Notice } from '@/components/status'
import { Time } from '@/components/time'

const WORDS = { approved: 'Approved', rejected: 'Rejected' } as const

/** What was decided, by whom, when and why. */
export function ResultSummary({ review, edited }: { review: Review; edited: number }) {
  const result = review.reviewResult
  if (!result) return null
  const { response, respondingUser, respondedAt, reason } = result
  const tone = response === 'approved' ? 'good' : response === 'rejected' ? 'bad' : 'accent'
  const icon = review.autoApproved ? (
    <Zap size={16} />
  ) : review.timedOut ? (
    <Timer size={16} />
  ) : response === 'approved' ? (
    <Check size={16} />
  ) : response === 'rejected' ? (
    <X size={16} />
  ) : (
    <Send size={15} />
  )
  return (
    <div className="flex flex-col gap-2">
      <Notice tone={tone} icon={icon}>
        <p>
          <strong className="font-semibold">{response ? WORDS[response] : 'Submitted'}</strong>{' '}
          {review.autoApproved
            ? 'automatically'
            : review.timedOut
              ? 'by time-out, as nobody decided in time,'
              : `by ${respondingUser}`}{' '}
          <Time at={respondedAt} />
          {edited > 0 && ` with ${edited === 1 ? 'one edit' : `${edited} edits`}`}
        </p>
        {reason && (
          <p dir="auto" className="mt-1 whitespace-pre-wrap break-words">
            {reason}
          </p>
        )}
      </Notice>
      {review.deliveryNote && (
        <Notice icon={<CircleSlash size={15} />}>
          <span className="text-muted">{review.deliveryNote}</span>
        </Notice>
      )}
    </div>
  )
}

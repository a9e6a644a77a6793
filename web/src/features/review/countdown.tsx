import { Timer } from 'lucide-react'
import { Suspense, useState } from 'react'
import { isOpenTo, type Review } from '@/api/review'
import { Countdown } from '@/components/countdown'
import { lazyPart } from '@/components/lazy'
import { Opening } from '@/components/opening'

const ExtendDialog = lazyPart(() => import('./extend-dialog'))

/** What happens to the review by itself, and when; who may decide it can put that off. */
export function DueCountdown({ review }: { review: Review }) {
  const [isExtending, setExtending] = useState(false)
  const close = () => setExtending(false)
  const { dueAt, dueAction } = review
  if (!dueAt || !dueAction) return null
  return (
    <span className="inline-flex items-center gap-1.5 whitespace-nowrap">
      <span aria-hidden="true" className="max-md:hidden">
        ·
      </span>
      <Timer size={13} aria-hidden="true" className="shrink-0" />
      <Countdown at={dueAt} action={dueAction} />
      {isOpenTo(review) && (
        <button
          type="button"
          onClick={() => setExtending(true)}
          className="rounded text-accent underline-offset-2 hover:underline max-md:-my-2.5 max-md:min-h-11 max-md:px-1"
        >
          More time…
        </button>
      )}
      {isExtending && (
        <Suspense fallback={<Opening title="More time" onClose={close} />}>
          <ExtendDialog review={review} onClose={close} />
        </Suspense>
      )}
    </span>
  )
}

import { t } from '@lingui/core/macro'
import { Timer } from 'lucide-react'
import { Suspense, useState } from 'react'
import { isDecidable, type Review } from '@/api/review'
import { Countdown } from '@/components/countdown'
import { lazyPart } from '@/components/lazy'
import { LoadingDialog } from '@/components/loading-dialog'

const ExtendDialog = lazyPart(() => import('./extend-dialog'))

/** The next deadline step and the time until it. Anyone who can decide the review can extend the deadline. */
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
      <Timer className="icon-small shrink-0" />
      <Countdown at={dueAt} action={dueAction} />
      {isDecidable(review) && (
        <button
          type="button"
          onClick={() => setExtending(true)}
          className="rounded text-accent underline-offset-2 hover:underline pointer-coarse:-my-2.5 pointer-coarse:min-h-11 pointer-coarse:px-1"
        >
          {t`Extend deadline…`}
        </button>
      )}
      {isExtending && (
        <Suspense fallback={<LoadingDialog title={t`Extend deadline`} onClose={close} />}>
          <ExtendDialog review={review} onClose={close} />
        </Suspense>
      )}
    </span>
  )
}

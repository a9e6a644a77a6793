import { Check, CircleCheck, Link2Off, X } from 'lucide-react'
import { Empty } from '@/components/status'
import { Time } from '@/components/time'

/** The service knows nothing of the link, or nothing any more. It says no more than that, and neither do we. */
export function LinkUnknown() {
  return (
    <main className="grid min-h-dvh place-items-center">
      <Empty icon={<Link2Off size={30} />} title="This link does not work" as="h1">
        It may have expired, or been replaced by a newer one, or the review is gone. Ask the person who sent
        it to you for a new link.
      </Empty>
    </main>
  )
}

/** The review is decided: by this person just now, or by somebody before. */
export function Answered({
  response,
  at,
  byMe,
}: {
  response: 'approved' | 'rejected' | null
  at: string
  byMe: boolean
}) {
  const word = response === null ? 'submitted' : response
  return (
    <div role="status">
      <Empty
        icon={
          response === 'approved' ? (
            <Check size={30} className="text-good" />
          ) : response === 'rejected' ? (
            <X size={30} className="text-bad" />
          ) : (
            <CircleCheck size={30} className="text-good" />
          )
        }
        title={byMe ? `Thank you. You ${word} this.` : `This was ${word} already`}
      >
        {byMe ? (
          'Your answer has arrived; you can close this page.'
        ) : (
          <>
            Answered <Time at={at} />. There is nothing left to do.
          </>
        )}
      </Empty>
    </div>
  )
}

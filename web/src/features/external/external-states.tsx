import { CalendarX, Check, CircleCheck, FileX, Link2Off, UserRoundX, X } from 'lucide-react'
import type { ReactNode } from 'react'
import { Empty } from '@/components/status'
import { Time } from '@/components/time'
import type { Ending } from './endings'

/** One page for each way in which a link can have ended. None says more about the review than its reader may know. */
export function LinkEnded({ ending }: { ending: Ending }) {
  switch (ending.kind) {
    case 'answered':
      return (
        <Page>
          <Answered {...ending} as="h1" />
        </Page>
      )
    case 'deleted':
      return (
        <Page>
          <Empty icon={<FileX size={30} />} title="This review was deleted" as="h1">
            Nobody needs your answer any more. There is nothing left to do.
          </Empty>
        </Page>
      )
    case 'reassigned':
      return (
        <Page>
          <Empty icon={<UserRoundX size={30} />} title="Others are asked now" as="h1">
            This review was given to somebody else, or you were sent a newer link. If you have one, open that;
            otherwise there is nothing left to do.
          </Empty>
        </Page>
      )
    case 'expired':
      return (
        <Page>
          <Empty icon={<CalendarX size={30} />} title="This link has expired" as="h1">
            The review still waits. Ask the person who sent you the link for a new one.
          </Empty>
        </Page>
      )
    case 'unknown':
      return (
        <Page>
          <Empty icon={<Link2Off size={30} />} title="This link does not work" as="h1">
            It may be cut off. Check that you have all of it, or ask the person who sent it to you for a new
            one.
          </Empty>
        </Page>
      )
  }
}

const Page = ({ children }: { children: ReactNode }) => (
  <main className="grid min-h-dvh place-items-center px-2 text-lg">{children}</main>
)

/** The review is decided: by this person just now or before, or by somebody else. */
export function Answered({
  response,
  at,
  by,
  isJustNow = false,
  isMine,
  as = 'p',
}: {
  response: 'approved' | 'rejected' | null
  at: string | null
  by: string | null
  isJustNow?: boolean
  isMine: boolean
  as?: 'p' | 'h1'
}) {
  const word = response ?? 'submitted'
  const title = isJustNow
    ? `Thank you. You ${word} this.`
    : isMine
      ? `You ${word} this`
      : `This was ${word} already`
  return (
    <div role="status">
      <Empty
        as={as}
        icon={
          response === 'approved' ? (
            <Check size={30} className="text-good" />
          ) : response === 'rejected' ? (
            <X size={30} className="text-bad" />
          ) : (
            <CircleCheck size={30} className="text-good" />
          )
        }
        title={title}
      >
        {isJustNow ? (
          'Your answer has arrived; you can close this page.'
        ) : (
          <>
            {isMine ? 'You answered' : `${by ?? 'Somebody'} answered`} {at && <Time at={at} />}. There is
            nothing left to do.
          </>
        )}
      </Empty>
    </div>
  )
}

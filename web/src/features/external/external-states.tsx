import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { CalendarX, Check, CircleCheck, FileX, Link2Off, UserRoundX, X } from 'lucide-react'
import type { ReactNode } from 'react'
import { Empty } from '@/components/status'
import { Time } from '@/components/time'
import type { Ending } from './endings'

/** One page for each way a link can end. None says more about the review than its reader may know. */
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
          <Empty icon={<FileX size={30} />} title={t`This review was deleted`} as="h1">
            {t`You don't need to do anything.`}
          </Empty>
        </Page>
      )
    case 'reassigned':
      return (
        <Page>
          <Empty icon={<UserRoundX size={30} />} title={t`This review was reassigned`} as="h1">
            {t`Someone else is reviewing it now, or you were sent a newer link. If you have a newer link, use that one. Otherwise, you don't need to do anything.`}
          </Empty>
        </Page>
      )
    case 'expired':
      return (
        <Page>
          <Empty icon={<CalendarX size={30} />} title={t`This link has expired`} as="h1">
            {t`The review still needs a decision. Ask whoever sent you the link for a new one.`}
          </Empty>
        </Page>
      )
    case 'unknown':
      return (
        <Page>
          <Empty icon={<Link2Off size={30} />} title={t`This link doesn't work`} as="h1">
            {t`Part of it may be missing. Copy the full link, or ask whoever sent it for a new one.`}
          </Empty>
        </Page>
      )
  }
}

const Page = ({ children }: { children: ReactNode }) => (
  <main className="grid min-h-dvh place-items-center px-2 text-lg">{children}</main>
)

type Response = 'approved' | 'rejected' | null

function thanks(response: Response): string {
  if (response === 'approved') return t`Thanks! You approved this.`
  return response === 'rejected' ? t`Thanks! You rejected this.` : t`Thanks! You submitted this.`
}

function decidedByYou(response: Response): string {
  if (response === 'approved') return t`You approved this`
  return response === 'rejected' ? t`You rejected this` : t`You submitted this`
}

function decidedByOthers(response: Response): string {
  if (response === 'approved') return t`This was already approved`
  return response === 'rejected' ? t`This was already rejected` : t`This was already submitted`
}

/** The review is decided: by this reviewer just now or before, or by someone else. */
export function Answered({
  response,
  at,
  by,
  isJustNow = false,
  isMine,
  as = 'p',
}: {
  response: Response
  at: string | null
  by: string | null
  isJustNow?: boolean
  isMine: boolean
  as?: 'p' | 'h1'
}) {
  const title = isJustNow ? thanks(response) : isMine ? decidedByYou(response) : decidedByOthers(response)
  const name = <bdi>{by}</bdi>
  const time = at && <Time at={at} />
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
          t`Your decision is saved. You can close this page.`
        ) : time === null ? (
          t`You don't need to do anything.`
        ) : isMine ? (
          <Trans>You submitted your decision {time}. You don't need to do anything else.</Trans>
        ) : by !== null ? (
          <Trans>
            {name} submitted a decision {time}. You don't need to do anything.
          </Trans>
        ) : (
          <Trans>Someone else submitted a decision {time}. You don't need to do anything.</Trans>
        )}
      </Empty>
    </div>
  )
}

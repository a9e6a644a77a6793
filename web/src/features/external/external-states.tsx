import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useMutation } from '@tanstack/react-query'
import { CalendarX, Check, CircleCheck, FileX, Link2Off, MailCheck, UserRoundX, X } from 'lucide-react'
import { Button } from '@/components/button'
import { FormError } from '@/components/form-error'
import { RelativeTime } from '@/components/relative-time'
import { EmptyState } from '@/components/status'
import { getLinkEnd, type LinkEnd } from './link-end'

type Props = { ending: LinkEnd; onRenew?: (() => Promise<unknown>) | undefined }

/** One page for each way a link can end. None says more about the review than its reader may know. */
export const LinkEnded = (props: Props) => (
  <main className="grid min-h-dvh place-items-center px-2 text-lg">
    <EndingText {...props} />
  </main>
)

function EndingText({ ending, onRenew }: Props) {
  switch (ending.kind) {
    case 'answered':
      return <DecidedPage {...ending} as="h1" />
    case 'deleted':
      return (
        <EmptyState icon={<FileX />} title={t`This review was deleted`} as="h1">
          {t`You don't need to do anything.`}
        </EmptyState>
      )
    case 'reassigned':
      return (
        <EmptyState icon={<UserRoundX />} title={t`This review was reassigned`} as="h1">
          {t`Someone else is reviewing it now, or you were sent a newer link. If you have a newer link, use that one. Otherwise, you don't need to do anything.`}
        </EmptyState>
      )
    case 'expired':
      return <Expired onRenew={onRenew} />
    case 'unknown':
      return (
        <EmptyState icon={<Link2Off />} title={t`This link doesn't work`} as="h1">
          {t`Part of it may be missing. Copy the full link, or ask whoever sent it for a new one.`}
        </EmptyState>
      )
  }
}

/** `onRenew` mails a new link; without it, only the sender can help. */
function Expired({ onRenew }: { onRenew: (() => Promise<unknown>) | undefined }) {
  const renewal = useMutation({ mutationFn: async () => onRenew?.() })
  // The review may have been decided or reassigned since the link expired.
  const ending = getLinkEnd(renewal.error)
  if (ending && ending.kind !== 'expired') return <EndingText ending={ending} />
  if (renewal.isSuccess)
    return (
      <div role="status">
        <EmptyState icon={<MailCheck />} title={t`Check your email`} as="h1">
          {t`We sent a new link to the email address that received this one. Check your spam folder if you don't see it.`}
        </EmptyState>
      </div>
    )
  return (
    <EmptyState
      icon={<CalendarX />}
      title={t`This link has expired`}
      as="h1"
      action={
        onRenew && (
          <div className="flex flex-col items-center gap-3">
            <Button kind="primary" busy={renewal.isPending} onClick={() => renewal.mutate()}>
              {t`Request a new link`}
            </Button>
            <FormError error={renewal.error} />
          </div>
        )
      }
    >
      {onRenew ? t`We can email you a new one.` : t`Ask whoever sent you the link for a new one.`}
    </EmptyState>
  )
}

type Response = 'approved' | 'rejected' | null

function getThanksText(response: Response): string {
  if (response === 'approved') return t`Thanks! You approved this.`
  return response === 'rejected' ? t`Thanks! You rejected this.` : t`Thanks! You submitted this.`
}

function getOwnDecisionText(response: Response): string {
  if (response === 'approved') return t`You approved this`
  return response === 'rejected' ? t`You rejected this` : t`You submitted this`
}

function getOtherDecisionText(response: Response): string {
  if (response === 'approved') return t`This was already approved`
  return response === 'rejected' ? t`This was already rejected` : t`This was already submitted`
}

/** The review is decided: by this reviewer just now or earlier, or by someone else. */
export function DecidedPage({
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
  const title = isJustNow
    ? getThanksText(response)
    : isMine
      ? getOwnDecisionText(response)
      : getOtherDecisionText(response)
  const name = <bdi>{by}</bdi>
  const time = at && <RelativeTime at={at} />
  return (
    <div role="status">
      <EmptyState
        as={as}
        icon={
          response === 'approved' ? (
            <Check className="text-good" />
          ) : response === 'rejected' ? (
            <X className="icon-large text-bad" />
          ) : (
            <CircleCheck className="icon-large text-good" />
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
      </EmptyState>
    </div>
  )
}

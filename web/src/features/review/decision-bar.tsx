import { t } from '@lingui/core/macro'
import { Check, MessageSquareReply, Send, X } from 'lucide-react'
import type { MouseEvent, ReactNode } from 'react'
import { Button } from '@/components/button'

/** The buttons that decide a review, at the bottom of the page. */
export function DecisionBar({ panel, children }: { panel?: ReactNode; children: ReactNode }) {
  return (
    <footer className="@container sticky bottom-0 z-10 border-line border-t bg-canvas px-4 pt-2.5 pb-[max(0.625rem,env(safe-area-inset-bottom))] md:px-6">
      {panel ?? children}
    </footer>
  )
}

export function DecisionButtons({
  trigger,
  allowRetry,
  busy,
  locked,
  onApprove,
  onReject,
  onRetry,
}: {
  trigger: boolean
  allowRetry: boolean
  busy?: boolean
  /** The content has just appeared and can't be approved yet. */
  locked: boolean
  onApprove: (event: MouseEvent) => void
  onReject: () => void
  onRetry: () => void
}) {
  // In a narrow pane, such as next to the list on a tablet, it looks as on a phone.
  const tall = 'pointer-coarse:min-h-11 @max-[30rem]:h-11 @max-[30rem]:[&_kbd]:hidden'
  const wide = `${tall} max-md:flex-1 @max-[30rem]:flex-1`
  return (
    <div className="ms-auto flex gap-2 max-md:w-full @max-[30rem]:w-full">
      {allowRetry && (
        <Button
          icon={<MessageSquareReply />}
          keys="t"
          busy={busy}
          onClick={onRetry}
          title={t`Request changes`}
          className={tall}
        >
          <span className="max-md:sr-only @max-[30rem]:sr-only">{t`Request changes`}</span>
        </Button>
      )}
      {trigger ? (
        <Button
          kind="primary"
          icon={<Send />}
          keys="a"
          busy={busy}
          locked={locked}
          onClick={onApprove}
          className={wide}
        >
          {t`Submit`}
        </Button>
      ) : (
        <>
          <Button kind="danger" icon={<X />} keys="r" busy={busy} onClick={onReject} className={wide}>
            {t`Reject`}
          </Button>
          <Button
            kind="good"
            icon={<Check />}
            keys="a"
            busy={busy}
            locked={locked}
            onClick={onApprove}
            className={wide}
          >
            {t`Approve`}
          </Button>
        </>
      )}
    </div>
  )
}

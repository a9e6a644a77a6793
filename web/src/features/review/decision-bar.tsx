import { Check, MessageSquareReply, Send, X } from 'lucide-react'
import type { ReactNode } from 'react'
import { Button } from '@/components/button'

/** Where the review is decided: at the foot of the page, at the thumb on a phone. */
export function DecisionBar({ panel, children }: { panel?: ReactNode; children: ReactNode }) {
  return (
    <footer className="sticky bottom-0 z-10 border-line border-t bg-canvas px-4 pt-2.5 pb-[max(0.625rem,env(safe-area-inset-bottom))] md:px-6">
      {panel ?? children}
    </footer>
  )
}

export function DecisionButtons({
  trigger,
  allowRetry,
  busy,
  onApprove,
  onReject,
  onRetry,
}: {
  trigger: boolean
  allowRetry: boolean
  busy?: boolean
  onApprove: () => void
  onReject: () => void
  onRetry: () => void
}) {
  const wide = 'max-md:h-11 max-md:flex-1'
  return (
    <div className="ml-auto flex gap-2 max-md:w-full">
      {allowRetry && (
        <Button
          icon={<MessageSquareReply size={15} />}
          keys="t"
          busy={busy}
          onClick={onRetry}
          className="max-md:h-11"
        >
          <span className="max-md:sr-only">Request changes</span>
        </Button>
      )}
      {trigger ? (
        <Button
          kind="primary"
          icon={<Send size={15} />}
          keys="a"
          busy={busy}
          onClick={onApprove}
          className={wide}
        >
          Submit
        </Button>
      ) : (
        <>
          <Button
            kind="danger"
            icon={<X size={15} />}
            keys="r"
            busy={busy}
            onClick={onReject}
            className={wide}
          >
            Reject
          </Button>
          <Button
            kind="good"
            icon={<Check size={15} />}
            keys="a"
            busy={busy}
            onClick={onApprove}
            className={wide}
          >
            Approve
          </Button>
        </>
      )}
    </div>
  )
}

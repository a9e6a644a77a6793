import { LoaderCircle } from 'lucide-react'
import { Button } from '@/components/button'
import type { ReportedNotice } from './approval-notices'

const WORDS = {
  approved: "We'll approve this when it's done.",
  rejected: "We'll reject this when it's done.",
  submitted: "We'll submit this when it's done.",
  started: "We'll start the agent when it's done.",
} as const

/** A decision that was made and waits, for an upload for one. */
export function WaitingPanel({
  decision,
  notices,
  locked,
  onCancel,
}: {
  decision: keyof typeof WORDS
  notices: readonly ReportedNotice[]
  locked: boolean
  onCancel: () => void
}) {
  const waitsFor = notices.filter(({ level }) => level === 'wait').map(({ text }) => text)
  return (
    <section aria-label="Waiting" className="flex flex-wrap items-center gap-x-3 gap-y-2">
      <LoaderCircle
        size={16}
        aria-hidden="true"
        className="shrink-0 animate-[spin_900ms_linear_infinite] text-muted"
      />
      <p role="status" className="min-w-0 flex-1 basis-48 [overflow-wrap:anywhere]">
        <strong className="font-semibold">{waitsFor.join(' ')}</strong> {WORDS[decision]}
      </p>
      <Button autoFocus locked={locked} onClick={onCancel} className="max-md:h-11">
        Cancel
      </Button>
    </section>
  )
}

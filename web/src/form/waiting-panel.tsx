import { msg, t } from '@lingui/core/macro'
import { LoaderCircle } from 'lucide-react'
import { Button } from '@/components/button'
import { i18n } from '@/lib/i18n'
import type { ReportedNotice } from './approval-notices'

const WORDS = {
  approved: msg`Your approval will be sent when the upload finishes.`,
  rejected: msg`Your rejection will be sent when the upload finishes.`,
  submitted: msg`Your response will be sent when the upload finishes.`,
  started: msg`The workflow will start when the upload finishes.`,
} as const

/** A decision that is waiting, for example for an upload. */
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
    <section aria-label={t`Waiting`} className="flex flex-wrap items-center gap-x-3 gap-y-2">
      <LoaderCircle className="shrink-0 animate-[spin_900ms_linear_infinite] text-muted" />
      <p role="status" className="min-w-0 flex-1 basis-48 [overflow-wrap:anywhere]">
        <strong className="font-semibold">{waitsFor.join(' ')}</strong> {i18n._(WORDS[decision])}
      </p>
      <Button autoFocus locked={locked} onClick={onCancel}>
        {t`Cancel`}
      </Button>
    </section>
  )
}

import { msg, t } from '@lingui/core/macro'
import type { MouseEvent } from 'react'
import { Button } from '@/components/button'
import { i18n } from '@/lib/i18n'
import type { ReportedNotice } from './approval-notices'
import { NoticeList } from './notice-list'

const WORDS = {
  approve: { name: msg`Approve`, question: msg`Approve anyway?`, button: msg`Approve anyway` },
  submit: { name: msg`Submit`, question: msg`Submit anyway?`, button: msg`Submit anyway` },
  start: { name: msg`Start`, question: msg`Start anyway?`, button: msg`Start anyway` },
} as const

/** The second step of an approval that has notices to confirm. */
export function ApprovePanel({
  notices,
  action,
  onCancel,
  onConfirm,
  busy,
  locked,
}: {
  notices: readonly ReportedNotice[]
  action: keyof typeof WORDS
  onCancel: () => void
  onConfirm: (event: MouseEvent) => void
  busy?: boolean
  locked: boolean
}) {
  return (
    <section
      aria-label={i18n._(WORDS[action].name)}
      className="flex flex-col gap-3"
      onKeyDown={event => {
        if (event.key !== 'Escape') return
        // The list would close the review.
        event.preventDefault()
        onCancel()
      }}
    >
      <h3 className="font-medium">{i18n._(WORDS[action].question)}</h3>
      <div aria-live="polite">
        <NoticeList notices={notices.map(withLeave(onCancel))} />
      </div>
      <div className="flex justify-end gap-2">
        <Button onClick={onCancel} className="max-md:flex-1">
          {t`Cancel`}
        </Button>
        <Button
          autoFocus
          kind={action === 'approve' ? 'good' : 'primary'}
          keys="mod+Enter"
          busy={busy}
          locked={locked}
          onClick={onConfirm}
          className="max-md:flex-1"
        >
          {i18n._(WORDS[action].button)}
        </Button>
      </div>
    </section>
  )
}

/** Going to what a notice is about closes this step. */
const withLeave =
  (onLeave: () => void) =>
  ({ show, ...notice }: ReportedNotice): ReportedNotice => ({
    ...notice,
    ...(show && {
      show: () => {
        onLeave()
        show()
      },
    }),
  })

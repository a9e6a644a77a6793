import { t } from '@lingui/core/macro'
import type { MouseEvent } from 'react'
import { Button } from '@/components/button'
import { LabeledField, TextArea } from '@/components/input'

/** The reason is optional, and saved with the draft. */
export function RejectPanel({
  reason,
  onReason,
  onCancel,
  onReject,
  busy,
  locked,
}: {
  reason: string
  onReason: (reason: string) => void
  onCancel: () => void
  onReject: (event: MouseEvent) => void
  busy?: boolean
  locked: boolean
}) {
  return (
    <section aria-label={t`Reject`} className="flex flex-col gap-3">
      <LabeledField label={t`Reason (optional)`} help={t`Sent to the agent with your decision.`}>
        {attributes => (
          <TextArea
            {...attributes}
            autoFocus
            value={reason}
            maxLength={10_000}
            onChange={event => onReason(event.target.value)}
            onKeyDown={event => event.key === 'Escape' && onCancel()}
            className="max-h-60"
          />
        )}
      </LabeledField>
      <div className="flex justify-end gap-2">
        <Button onClick={onCancel} className="max-md:flex-1">
          {t`Cancel`}
        </Button>
        <Button
          kind="bad"
          keys="mod+Enter"
          onClick={onReject}
          busy={busy}
          locked={locked}
          className="max-md:flex-1"
        >
          {t`Reject`}
        </Button>
      </div>
    </section>
  )
}

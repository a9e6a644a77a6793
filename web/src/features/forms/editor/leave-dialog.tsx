import { t } from '@lingui/core/macro'
import { useBlocker } from '@tanstack/react-router'
import { useEffect } from 'react'
import { Button } from '@/components/button'
import { Dialog } from '@/components/dialog'
import { confirmBeforeClosing } from '@/lib/page-exit'

/** Asks before leaving with unsaved changes. When the tab is closed, the browser asks. */
export function LeaveDialog({ isDirty, onDiscard }: { isDirty: boolean; onDiscard: () => void }) {
  useEffect(() => (isDirty ? confirmBeforeClosing(() => true) : undefined), [isDirty])
  const blocker = useBlocker({
    shouldBlockFn: ({ current, next }) => isDirty && current.pathname !== next.pathname,
    enableBeforeUnload: false,
    withResolver: true,
  })
  if (blocker.status !== 'blocked') return null
  return (
    <Dialog
      open
      onClose={blocker.reset}
      title={t`Leave with unsaved changes?`}
      actions={
        <>
          <Button onClick={blocker.reset} data-first-focus>
            {t`Keep editing`}
          </Button>
          <Button
            kind="danger"
            onClick={() => {
              onDiscard()
              blocker.proceed()
            }}
          >
            {t`Discard changes`}
          </Button>
          <Button kind="primary" onClick={blocker.proceed}>
            {t`Keep draft and leave`}
          </Button>
        </>
      }
    >
      <p>{t`Keep your changes as a draft in this tab, or discard them. Closing the tab deletes the draft.`}</p>
    </Dialog>
  )
}

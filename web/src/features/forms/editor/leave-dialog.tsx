import { useBlocker } from '@tanstack/react-router'
import { Button } from '@/components/button'
import { Dialog } from '@/components/dialog'

/** Whoever leaves with work that is not saved is asked first. The browser asks by itself before the tab is closed. */
export function LeaveDialog({ isDirty, onDiscard }: { isDirty: boolean; onDiscard: () => void }) {
  const blocker = useBlocker({
    shouldBlockFn: ({ current, next }) => isDirty && current.pathname !== next.pathname,
    enableBeforeUnload: isDirty,
    withResolver: true,
  })
  if (blocker.status !== 'blocked') return null
  return (
    <Dialog
      open
      onClose={blocker.reset}
      title="Leave without saving?"
      actions={
        <>
          <Button onClick={blocker.reset} data-first-focus>
            Stay
          </Button>
          <Button
            kind="danger"
            onClick={() => {
              onDiscard()
              blocker.proceed()
            }}
          >
            Discard the changes
          </Button>
          <Button kind="primary" onClick={blocker.proceed}>
            Leave and keep them
          </Button>
        </>
      }
    >
      <p>
        Your changes are not saved. They can wait in this browser tab until you come back, or be thrown away.
      </p>
    </Dialog>
  )
}

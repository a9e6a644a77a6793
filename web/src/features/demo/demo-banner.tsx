import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { type Demo, useRemoveDemo } from '@/api/demo'
import { useMe } from '@/api/session'
import { Button } from '@/components/button'
import { Dialog } from '@/components/dialog'
import { FormFault } from '@/components/form-fault'

/** Says, calmly and on one line, that all of this is made up, and leads the owner out of it. */
export default function DemoBanner({ demo }: { demo: Demo }) {
  const isOwner = useMe().role === 'owner'
  const [isLeaving, setLeaving] = useState(false)
  useReadAnewOnceFilled(demo)
  return (
    <aside
      aria-label="Demo"
      className="flex min-h-9 shrink-0 items-center gap-x-3 border-line border-b bg-accent-soft px-4 text-sm max-md:min-h-11"
    >
      {demo.state === 'filling' ? (
        <p role="status" className="py-1">
          A demo is being set up. Reviews, chats and pictures appear here in a moment.
        </p>
      ) : (
        <>
          <p className="min-w-0 flex-1 py-1">
            <strong className="font-semibold">Demo workspace.</strong>{' '}
            <span className="max-sm:hidden">
              A small program plays its agents: decide something, and see what it does.
            </span>
          </p>
          {isOwner && (
            <button
              type="button"
              onClick={() => setLeaving(true)}
              className="shrink-0 rounded text-accent underline-offset-2 hover:underline max-md:min-h-11"
            >
              Start empty…
            </button>
          )}
        </>
      )}
      {isLeaving && <Leaving onClose={() => setLeaving(false)} />}
    </aside>
  )
}

function Leaving({ onClose }: { onClose: () => void }) {
  const removal = useRemoveDemo()
  // The page is loaded anew when it is done: until then nothing may be begun again.
  const isBusy = removal.isPending || removal.isSuccess
  return (
    <Dialog
      open
      onClose={onClose}
      firm={isBusy}
      title="Start with an empty workspace?"
      description="The demo goes, with everything in this workspace: agents, review types, reviews, chats, pictures, groups and chat apps, also those you made yourself. This cannot be taken back."
      actions={
        <>
          <Button onClick={onClose} disabled={isBusy} data-first-focus>
            Cancel
          </Button>
          <Button kind="bad" busy={isBusy} onClick={() => removal.mutate()}>
            Remove it all
          </Button>
        </>
      }
    >
      <FormFault error={removal.error} />
      <p className="text-muted">
        You stay signed in; people you invited and your API keys stay, too. A review type that you want to
        keep can be exported in the editor first.
      </p>
    </Dialog>
  )
}

/** What was read while the workspace was still empty is out of date at once. */
function useReadAnewOnceFilled({ state }: Demo) {
  const client = useQueryClient()
  const before = useRef(state)
  useEffect(() => {
    if (before.current === 'filling' && state === 'ready') void client.invalidateQueries()
    before.current = state
  }, [client, state])
}
